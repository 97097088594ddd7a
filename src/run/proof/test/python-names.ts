/** Modules of Python's own that its test runners load: a file of such a name is loaded in their place. */
const LOADED = new Set(
  (
    "abc argparse ast asyncio atexit bisect builtins bz2 codecs collections concurrent configparser contextlib " +
    "contextvars copy copyreg ctypes dataclasses datetime decimal difflib dis doctest email enum errno faulthandler " +
    "fnmatch fractions functools gc genericpath getpass gettext glob gzip hashlib heapq html http importlib inspect io " +
    "ipaddress itertools json keyword linecache locale logging lzma math mimetypes numbers opcode operator optparse os " +
    "pathlib pdb pickle pkgutil platform posixpath pprint py queue random re reprlib select selectors shlex shutil " +
    "signal site socket sre_compile stat statistics string struct subprocess sys sysconfig tarfile tempfile textwrap " +
    "threading time timeit token tokenize tomllib traceback types typing unittest urllib uuid warnings weakref xml " +
    "zipfile zipimport zlib pluggy iniconfig packaging exceptiongroup"
  ).split(" "),
);

/** Whether a file at the top of a project is loaded where Python's own module is meant. */
export function standsForModule(path: string): boolean {
  const [name = "", ...rest] = path.split("/");
  const isPackage = rest.length > 0 && /\.(?:py|so|pyc)$/.test(path);
  const module = isPackage ? name : name.replace(/\.(?:py|pyc|so|[\w-]+\.so)$/, "");
  return (isPackage || module !== name) && LOADED.has(module);
}
