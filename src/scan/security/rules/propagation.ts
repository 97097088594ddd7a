/** Functions that put their arguments one after the other. */
export const JOINING: ReadonlySet<string> = new Set([
  "path.join",
  "path.resolve",
  "path.posix.join",
  "path.posix.resolve",
  "path.win32.join",
  "os.path.join",
  "pathlib.Path",
  "Path",
  "util.format",
  "url.resolve",
  "urllib.parse.urljoin",
  "String.raw",
]);

/** Functions whose result depends on their arguments, by full name. */
const CARRYING: ReadonlySet<string> = new Set([
  "String",
  "util.inspect",
  "Buffer",
  "Buffer.from",
  "Object",
  "Object.assign",
  "Object.keys",
  "Object.values",
  "Object.entries",
  "Object.fromEntries",
  "Object.getOwnPropertyNames",
  "Reflect.ownKeys",
  "Array.from",
  "Array.of",
  "Array.prototype.slice",
  "Promise.resolve",
  "Promise.all",
  "JSON.parse",
  "JSON.stringify",
  "decodeURI",
  "decodeURIComponent",
  "unescape",
  "encodeURI",
  "escape",
  "URL",
  "url.parse",
  "url.URL",
  "URLSearchParams",
  "querystring.parse",
  "querystring.unescape",
  "qs.parse",
  "path.normalize",
  "path.dirname",
  "path.parse",
  "path.format",
  "path.relative",
  "os.path.normpath",
  "os.path.abspath",
  "os.path.realpath",
  "os.path.expanduser",
  "os.path.dirname",
  "os.fspath",
  "urllib.parse.unquote",
  "urllib.parse.urlparse",
  "json.loads",
  "json.dumps",
  "str",
  "bytes",
  "dict",
  "list",
  "tuple",
  "set",
  "sorted",
  "reversed",
  "enumerate",
  "zip",
  "iter",
  "next",
  "map",
  "filter",
  "copy.deepcopy",
  "copy.copy",
  "base64.b64decode",
  "re.match",
  "re.fullmatch",
  "re.search",
  "re.findall",
  "bytes.fromhex",
  "io.BytesIO",
  "io.StringIO",
  "Markup",
]);

/** The same for functions of other files, by the look of their name. */
const CARRYING_NAME =
  /^(?:to|as)(?:Array|String|Path)$|^(?:extend|assign|merge|defaults|parse|format|clone|split|decode|castPath|normalize|flatten|strip|build|get|make|create)(?:[A-Z]\w*)?$/;

/** Parts of the language and of its platforms, whose results are known not to be their arguments. */
const PLATFORM =
  /^(?:[A-Z?]|this\b|self\b|console|process|fs|os|path|crypto|https?|child_process|net|tls|dns|zlib|util|events|stream|timers|worker_threads|cluster|assert|perf_hooks|async_hooks|vm|readline|document|window|navigator|performance|globalThis|global|set(?:Timeout|Interval|Immediate)|clear\w+|queueMicrotask|isNaN|isFinite|parse(?:Int|Float)|require|import|super|define|fetch|alert|describe|it|test|expect)(?:\.|$)/;

/** Whether a call goes to a function of another package. */
export const isForeign = (api: string): boolean => !PLATFORM.test(api);

/** Whether a call's result depends on its arguments. */
export function carries(api: string): boolean {
  if (CARRYING.has(api)) return true;
  return CARRYING_NAME.test(api.slice(api.lastIndexOf(".") + 1));
}
