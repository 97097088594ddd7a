import { describe, expect, test } from "vitest";
import { alarms, reviewed } from "./reviewing.ts";

interface Row {
  readonly category: string;
  readonly weak: string;
  readonly sound: string;
  readonly path?: string;
}

const cp = 'const cp = require("child_process");\n';
const fs = 'const fs = require("fs");\nconst path = require("path");\n';

const ROWS: readonly Row[] = [
  {
    category: "command-injection",
    weak: `${cp}exports.f = (a) => cp.exec("ls " + a);`,
    sound: `${cp}exports.f = (a) => cp.execFile("ls", [a]);`,
  },
  {
    category: "command-injection",
    weak: `${cp}exports.f = (a) => cp.spawn("sh", ["-c", "ls " + a]);`,
    sound: `${cp}exports.f = (a) => cp.spawn("ls", ["-l", a]);`,
  },
  {
    category: "command-injection",
    weak: `${cp}exports.f = (a) => cp.spawn("ls", ["-l " + a], { shell: true });`,
    sound: `${cp}exports.f = (a) => cp.spawn("ls", ["-l " + a], { shell: false });`,
  },
  {
    category: "command-injection",
    weak: "import subprocess\ndef f(a):\n    subprocess.run('ls ' + a, shell=True)\n",
    sound: "import subprocess\ndef f(a):\n    subprocess.run(['ls', a])\n",
    path: "a.py",
  },
  {
    category: "code-injection",
    weak: 'exports.f = (a) => new Function("x", "return " + a);',
    sound: 'exports.f = (a) => new Function("x", "return " + JSON.stringify(a));',
  },
  {
    category: "code-injection",
    weak: "def f(a):\n    return eval(a)\n",
    sound: "import ast\ndef f(a):\n    return ast.literal_eval(a)\n",
    path: "a.py",
  },
  {
    category: "sql-injection",
    weak: `exports.f = (db, a) => db.query("SELECT * FROM t WHERE a = '" + a + "'");`,
    sound: `exports.f = (db, a) => db.query("SELECT * FROM t WHERE a = ?", [a]);`,
  },
  {
    category: "path-traversal",
    weak: `${fs}module.exports = (req, res) => fs.readFile(path.join("public", req.url), res.end);`,
    sound: `${fs}module.exports = (req, res) => fs.readFile(path.join("public", path.basename(req.url)), res.end);`,
  },
  {
    category: "prototype-pollution",
    weak: "exports.f = (o, a, b, v) => { o[a][b] = v; };",
    sound: "exports.f = (o, a, b, v) => { o[a] = v; };",
  },
  {
    category: "redos",
    weak: "exports.f = (text) => /^(a+)+$/.test(text);",
    sound: "exports.f = (text) => /^a+$/.test(text);",
  },
  {
    category: "redos",
    weak: "import re\ndef f(text):\n    return re.match(r'^(a|a)*$', text)\n",
    sound: "import re\ndef f(text):\n    return re.match(r'^(a|b)*$', text)\n",
    path: "a.py",
  },
  {
    category: "redos",
    weak: "module.exports = { name: /^(a+)+$/ };",
    sound: "module.exports = { name: /^a+$/ };",
  },
  {
    category: "redos",
    weak: "exports.f = (text) => { const parts = require('cut')(text); return /^(a+)+$/.test(parts.body); };",
    sound: "exports.f = () => /^(a+)+$/.test('aaa');",
  },
  {
    category: "prototype-pollution",
    weak: "exports.parse = (text) => { const out = {}; for (const part of text.split('&')) { const [k, v] = part.split('='); out[k] = v; } return out; };",
    sound:
      "exports.parse = (text) => { const out = Object.create(null); for (const part of text.split('&')) { const [k, v] = part.split('='); out[k] = v; } return out; };",
  },
  {
    category: "prototype-pollution",
    weak: "const split = require('split-string');\nexports.set = (o, p, v) => { const keys = split(p); for (const k of keys) o = o[k]; o[p] = v; };",
    sound:
      "const split = require('split-string');\nconst ok = (k) => k !== '__proto__' && k !== 'constructor';\nexports.set = (o, p, v) => { const keys = split(p).filter(ok); for (const k of keys) o = o[k]; o[p] = v; };",
  },
  {
    category: "prototype-pollution",
    weak: "exports.set = (o, p, v) => { p.split('.').slice(0, -1).forEach((k) => { if (typeof o === 'object' && o[k] === undefined) o[k] = {}; o = o[k]; }); o[p] = v; };",
    sound:
      "const bad = ['__proto__', 'constructor'];\nconst fine = (keys) => !keys.some((k) => bad.includes(k));\nexports.set = (o, p, v) => { const keys = p.split('.'); if (!fine(keys)) return; keys.forEach((k) => { o = o[k]; }); o[p] = v; };",
  },
  {
    category: "command-injection",
    weak: "const runExec = require('./run-exec');\nexports.f = (a) => runExec('git add ' + a);",
    sound: "const runExec = require('./run-exec');\nexports.f = (a) => runExec('added: ' + a);",
  },
  {
    category: "command-injection",
    weak: `${cp}exports.f = (url) => cp.spawn("git", ["clone", url]);`,
    sound: `${cp}exports.f = (url) => cp.spawn("git", ["clone", "--", url]);`,
  },
  {
    category: "path-traversal",
    weak: `${fs}const { parse } = require("url");\nmodule.exports = (req, res) => fs.readFile(path.join("root", decodeURIComponent(path.normalize(parse(req.url).pathname))), res.end);`,
    sound: `${fs}const url = require("url");\nmodule.exports = (req, res) => fs.readFile(path.join("root", path.normalize(url.parse(req.url).pathname)), res.end);`,
  },
  {
    category: "path-traversal",
    weak: `${fs}const { Writer } = require("fstream");\nexports.unpack = (stream, to) => stream.on("entry", (entry) => entry.pipe(Writer({ path: path.join(to, entry.path) })));`,
    sound: `${fs}const { Writer } = require("fstream");\nexports.unpack = (stream, to) => stream.on("entry", (entry) => { const p = path.join(to, entry.path); if (p.indexOf(to) !== 0) return; entry.pipe(Writer({ path: p })); });`,
  },
  {
    category: "path-traversal",
    weak: `${fs}exports.read = (name) => fs.readFileSync(path.join(__dirname, name));`,
    sound: `${fs}exports.read = (file) => fs.readFileSync(file);`,
  },
  {
    category: "code-injection",
    weak: 'exports.f = (a) => new Function("return \\"" + a.replace(/"/g, "x") + "\\"");',
    sound: 'exports.f = (a) => new Function("return \\"" + a.replace(/["\\\\]/g, "x") + "\\"");',
  },
  {
    category: "unsafe-deserialization",
    weak: 'exports.deserialize = (text) => new Function("return " + text)();',
    sound: "exports.deserialize = (text) => JSON.parse(text);",
  },
  {
    category: "xss",
    weak: "exports.link = (url) => '<a href=\"' + url + '\">';",
    sound: "exports.link = (url) => '<a href=\"' + escapeHtml(url) + '\">';",
  },
  {
    category: "weak-crypto",
    weak: "exports.boundary = () => Math.random().toString(16);",
    sound: "exports.delay = () => Math.random() * 100;",
  },
  {
    category: "unsafe-deserialization",
    weak: 'const s = require("node-serialize");\nexports.f = (a) => s.unserialize(a);',
    sound: "exports.f = (a) => JSON.parse(a);",
  },
  {
    category: "unsafe-deserialization",
    weak: "import yaml\ndef f(a):\n    return yaml.load(a, Loader=yaml.Loader)\n",
    sound: "import yaml\ndef f(a):\n    return yaml.load(a, Loader=yaml.SafeLoader)\n",
    path: "a.py",
  },
  {
    category: "weak-crypto",
    weak: 'const crypto = require("crypto");\nexports.hashPassword = (p) => crypto.createHash("md5").update(p);',
    sound:
      'const crypto = require("crypto");\nexports.etag = (p) => crypto.createHash("md5").update(p);',
  },
  {
    category: "weak-crypto",
    weak: 'const crypto = require("crypto");\nexports.f = (k) => crypto.createCipheriv("aes-128-ecb", k, null);',
    sound:
      'const crypto = require("crypto");\nexports.f = (k, iv) => crypto.createCipheriv("aes-256-gcm", k, iv);',
  },
  {
    category: "weak-crypto",
    weak: "exports.f = () => { const token = Math.random(); return token; };",
    sound: "exports.f = () => { const angle = Math.random(); return angle; };",
  },
  {
    category: "ssrf",
    weak: "module.exports = (req, res) => fetch(req.query.url);",
    sound: 'module.exports = (req, res) => fetch("https://api.example.org/" + req.query.id);',
  },
  {
    category: "xss",
    weak: 'exports.f = (el, a) => { el.innerHTML = "<b>" + a + "</b>"; };',
    sound: "exports.f = (el, a) => { el.textContent = a; };",
  },
  {
    category: "open-redirect",
    weak: "module.exports = (req, res) => res.redirect(req.query.next);",
    sound: 'module.exports = (req, res) => res.redirect("/page/" + req.query.next);',
  },
];

describe("each rule", () => {
  test.each(ROWS)("$category speaks about $weak", ({ category, weak, path }) => {
    expect(alarms(weak, path)).toContain(category);
  });

  test.each(ROWS)("$category is silent about $sound", ({ category, sound, path }) => {
    expect(alarms(sound, path)).not.toContain(category);
  });
});

describe("urgency", () => {
  test("request data in a command is P1, a parameter of a library is P2", () => {
    expect(reviewed(`${cp}module.exports = (req, res) => cp.exec("ls " + req.query.a);`)).toEqual([
      "P1 command-injection 2",
    ]);
    expect(reviewed(`${cp}module.exports = (a) => cp.exec("ls " + a);`)).toEqual([
      "P2 command-injection 2",
    ]);
  });

  test("a parameter that is only handed on is advice", () => {
    expect(reviewed(`${cp}exports.run = (command) => cp.exec(command);`)).toEqual([
      "P3 command-injection 2",
    ]);
  });

  test("constants and functions that nobody outside can call raise nothing", () => {
    expect(reviewed(`${cp}exports.f = () => cp.exec("ls -l");`)).toEqual([]);
    const inner = `${cp}function g(a) { return cp.exec("ls " + a); }\nexports.f = () => g("here");`;
    expect(reviewed(inner)).toEqual([]);
  });

  test("a square pattern is no more than P2, even for request data", () => {
    expect(reviewed("module.exports = (req, res) => req.url.replace(/a+$/, '');")).toEqual([
      "P2 redos 1",
    ]);
  });
});

describe("a value is followed", () => {
  const reaches = (body: string) => alarms(`${cp}${body}`).includes("command-injection");

  test.each([
    ["through a variable", 'exports.f = (a) => { const c = "ls " + a; cp.exec(c); };'],
    ["through +=", 'exports.f = (a) => { let c = "ls"; c += " " + a; cp.exec(c); };'],
    ["through a template", "exports.f = (a) => cp.exec(`ls ${a}`);"],
    ["through a joined list", 'exports.f = (a) => cp.exec(["ls", a].join(" "));'],
    ["through push", 'exports.f = (a) => { const l = ["ls"]; l.push(a); cp.exec(l.join(" ")); };'],
    ["through destructuring", 'exports.f = ({ a }) => cp.exec("ls " + a);'],
    ["through a local function", 'const q = (x) => "ls " + x;\nexports.f = (a) => cp.exec(q(a));'],
    [
      "into a local function",
      "function run(c) { cp.exec(c); }\nexports.f = (a) => run(`ls ${a}`);",
    ],
    [
      "through a field",
      'class A { constructor(a) { this.a = a; } f() { cp.exec("ls " + this.a); } }\nmodule.exports = A;',
    ],
    [
      "through a prototype method",
      'function A() {}\nA.prototype.f = function (a) { cp.exec("ls " + a); };\nmodule.exports = A;',
    ],
    ["through a callback", 'exports.f = (l) => l.forEach((a) => cp.exec("ls " + a));'],
    ["through a promise", 'exports.f = (a) => new Promise((ok) => { cp.exec("ls " + a, ok); });'],
    [
      "through promisify",
      'const run = require("util").promisify(cp.exec);\nexports.f = (a) => run("ls " + a);',
    ],
    ["through arguments", 'exports.f = function () { cp.exec("ls " + arguments[0]); };'],
    [
      "through a compiled import",
      'var __importDefault = function (m) { return m.__esModule ? m : { default: m }; };\nconst c = __importDefault(require("child_process"));\nexports.f = (a) => c.default.exec("ls " + a);',
    ],
    [
      "through compiled spreading",
      'function _extends() { return _extends.apply(this, arguments); }\nexports.f = (a) => { const o = _extends({}, a); cp.exec("ls " + o.name); };',
    ],
    [
      "through the matches of a pattern",
      'exports.f = (a) => { const m = /^x(.*)/.exec(a); cp.exec("ls " + m[1]); };',
    ],
    [
      "through apply",
      'function run(b) { cp.exec("ls " + b); }\nexports.f = function (a) { return run.apply(null, arguments); };',
    ],
    [
      "through a property of an object that is handed on",
      'function A(o) { const p = {}; p.name = o.name; this.p = p; }\nA.prototype.f = function () { cp.exec("ls " + this.p.name); };\nmodule.exports = A;',
    ],
    [
      "to a function that is exported further down",
      'function f(a) { cp.exec("ls " + a); }\nmodule.exports = { f };',
    ],
  ])("%s", (_, body) => {
    expect(reaches(body)).toBe(true);
  });
});

test("a statement that a handle executes is SQL, and no command of a shell", () => {
  const sql =
    "import sqlite3\ndef f(request):\n    db = sqlite3.connect('x')\n    name = request.args['n']\n    db.execute(f\"SELECT * FROM users WHERE name = '{name}'\")\n    db.cursor().execute('UPDATE users SET a = ' + name)\n";
  expect(new Set(reviewed(sql, "a.py").map((one) => one.split(" ")[1]))).toEqual(
    new Set(["sql-injection"]),
  );
  const js = 'exports.f = (req, db) => db.execute("PRAGMA foo = " + req.query.a);';
  expect(reviewed(js).filter((one) => one.includes("command-injection"))).toEqual([]);
  const shell = 'exports.f = (req, host) => host.execute("git clone " + req.query.a);';
  expect(reviewed(shell).join()).toMatch(/command-injection/);
});
