import { INNER } from "../engine/value.ts";
import type { Rule } from "../rule.ts";

const READS = [
  "readFile",
  "readFileSync",
  "createReadStream",
  "open",
  "openSync",
  "readdir",
  "readdirSync",
  "readlink",
  "stat",
  "statSync",
  "lstat",
  "lstatSync",
  "exists",
  "existsSync",
  "access",
];
const WRITES = [
  "writeFile",
  "writeFileSync",
  "createWriteStream",
  "appendFile",
  "appendFileSync",
  "outputFile",
  "outputFileSync",
  "unlink",
  "unlinkSync",
  "rm",
  "rmSync",
  "remove",
  "removeSync",
  "mkdir",
  "mkdirSync",
  "rename",
  "renameSync",
  "copyFile",
  "copyFileSync",
  "link",
  "linkSync",
];
const files = [...READS, ...WRITES].flatMap((name) => [`fs.${name}`, `fs.promises.${name}`]);

export const PATH_TRAVERSAL: Rule = {
  category: "path-traversal",
  title: "Path built from outside data",
  harm: "With `../` in it the path leaves the folder it was meant for.",
  fix: "Resolve the path against its folder, and refuse it unless the result starts with that folder and a separator.",
  sinks: [
    { calls: files, args: [0] },
    {
      calls: [
        "fs.rename",
        "fs.renameSync",
        "fs.copyFile",
        "fs.copyFileSync",
        "fs.copy",
        "fs.symlink",
        "fs.symlinkSync",
        "fs.link",
        "fs.linkSync",
      ],
      args: [1],
    },
    {
      calls: [
        "open",
        "io.open",
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "shutil.rmtree",
        "os.makedirs",
        "codecs.open",
        "flask.send_file",
        "send_file",
        "os.listdir",
      ],
      args: [0],
    },
    { calls: ["shutil.copy", "shutil.move", "shutil.copyfile"], args: [0, 1] },
    {
      methods: [
        "sendFile",
        "sendfile",
        "download",
        "createReadStream",
        "createWriteStream",
        "mv",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
      ],
      args: [0],
      when: ({ api }) => !api.startsWith("fs."),
    },
    // File systems are handed around under other names; these functions tell what they are.
    {
      methods: [...READS, ...WRITES].filter((name) => /(?:File|Dir|dir|Sync)$/.test(name)),
      args: [0],
      when: ({ api, isLocal }) => !isLocal && !/^fs\./.test(api),
    },
    { calls: ["fstream.Writer", "mkdirp", "mkdirp.sync", "make-dir", "make-dir.sync"], args: [0] },
    {
      methods: ["extract", "extractEntryTo"],
      args: [0],
      when: (_, value) => value.flows.some(({ origin }) => origin.kind === "archive"),
    },
  ],
  cleaners: [
    "path.basename",
    "path.extname",
    "os.path.basename",
    "ntpath.basename",
    "secure_filename",
    "werkzeug.utils.secure_filename",
    "encodeURIComponent",
    "basename",
  ],
  cleanerNames: /sanitize|safe.?(?:join|path)|secure.?(?:join|filename)|basename|resolve-path/i,
  level: (kind, { shape }, { text }) => {
    if (kind === "request" || kind === "network") return "P1";
    if (kind === "archive") return "P2";
    if (kind !== "parameter") return undefined;
    // A library that opens the file it is asked to open does its job; one that looks below a folder
    // of its own promises to stay there.
    const isBelow = (shape & INNER) !== 0;
    return isBelow && text !== undefined ? "P2" : undefined;
  },
};
