import { describe, expect, test } from "vitest";
import { alarms, reviewed } from "./reviewing.ts";

const fs = 'const fs = require("fs");\nconst path = require("path");\n';
const server = (body: string) => `${fs}module.exports = (req, res) => { ${body} };`;
const unpacker = (body: string) =>
  `const pify = require("pify");\nconst tar = require("decompress-tar");\n${fs}const f = pify(fs);\nmodule.exports = (files, out) => files.map((x) => ${body});`;

/** What it is about, its category, code that is weak, and the same code made sound. */
const ROWS: readonly (readonly [string, string, string, string])[] = [
  [
    "an address that is normalised after it was decoded",
    "path-traversal",
    server('fs.readFile(path.join("root", decodeURI(req.url.split("?")[0])), res.end);'),
    server(
      'fs.readFile(path.join("root", path.normalize(decodeURI(req.url.split("?")[0]))), res.end);',
    ),
  ],
  [
    "an address that lost its slash before it was normalised",
    "path-traversal",
    server('fs.readFile(path.join("root", path.normalize(req.url.slice(1))), res.end);'),
    server('fs.readFile(path.join("root", path.normalize(req.url)), res.end);'),
  ],
  [
    "the request of a handler that has it as its own",
    "path-traversal",
    `${fs}app.use(function* () { fs.readFileSync(path.join("root", this.request.url)); });`,
    `${fs}app.use(function* () { fs.readFileSync(path.join("root", this.request.id)); });`,
  ],
  [
    "a file system under another name",
    "path-traversal",
    server('this.disk.readFileSync(path.join("root", req.query.name));'),
    server('this.disk.readFileSync(path.join("root", path.basename(req.query.name)));'),
  ],
  [
    "a file system with promises",
    "path-traversal",
    unpacker("f.writeFile(path.join(out, x.path), x.data)"),
    unpacker("f.writeFile(path.join(out, path.basename(x.path)), x.data)"),
  ],
  [
    "a member that is worked out from itself",
    "code-injection",
    'exports.f = (rule) => { rule.test = eval("(" + rule.test + ")"); };',
    "exports.f = (rule) => { rule.test = JSON.parse(rule.test); };",
  ],
  [
    "an option of a compiler of templates",
    "code-injection",
    "exports.compile = function compile(text, o) { return new Function(o.name || 'obj', text); };",
    "exports.compile = function compile(text, o) { if (o.name && !/^\\w+$/.test(o.name)) throw new Error('no'); return new Function(o.name || 'obj', text); };",
  ],
  [
    "an object that has no prototype only when it is asked for",
    "prototype-pollution",
    "exports.f = (text, o) => { const all = o.plain ? Object.create(null) : {}; for (const one of text.split('&')) { const k = one.slice(1); all[k] = one; } return all; };",
    "exports.f = (text, o) => { const all = Object.create(null); for (const one of text.split('&')) { const k = one.slice(1); all[k] = one; } return all; };",
  ],
  [
    "an answer in words",
    "xss",
    "module.exports = (req, res) => { res.end('Not found: ' + req.url); };",
    "module.exports = (req, res) => { res.end('Not found: ' + escapeHtml(req.url)); };",
  ],
  [
    "a statement that is given back",
    "sql-injection",
    'exports.f = (name) => "SELECT id FROM users WHERE name = \'" + name + "\'";',
    'exports.f = (name) => "SELECT id FROM users WHERE name = \'" + escape(name) + "\'";',
  ],
  [
    "a pattern that is joined from a list",
    "redos",
    "exports.f = (text) => new RegExp(['^(?:b', 'a+)+$'].join('|')).test(text);",
    "exports.f = (text) => new RegExp(['^(?:b', 'a+)+$'].join('')).test(text);",
  ],
];

describe("weak code is told from sound code", () => {
  test.each(ROWS)("%s", (_, category, weak, sound) => {
    expect(alarms(weak)).toContain(category);
    expect(alarms(sound)).not.toContain(category);
  });
});

test("data that is sent as data is no page", () => {
  expect(
    reviewed("module.exports = (req, res) => { res.end('{\"at\": \"' + req.url + '\"}'); };"),
  ).toEqual([]);
});

test("the template of a compiler of templates is advice, other code is an alarm", () => {
  const named = (name: string) =>
    `exports.f = function ${name}(text) { return new Function(text); };`;
  expect(reviewed(named("template"))).toEqual(["P3 code-injection 1"]);
  expect(reviewed(named("other"))).toEqual(["P2 code-injection 1"]);
});

test("a dictionary has no prototype, and a tag puts its template together its own way", () => {
  const write = (path: string, text: string) => reviewed(text, path);
  const python = "def put(store, path, value):\n    store[path[0]][path[1]] = value\n";
  expect(write("lib/put.py", python)).toEqual([]);
  const script = "exports.put = (store, path, value) => { store[path[0]][path[1]] = value; };";
  expect(write("lib/put.js", script)).toEqual(["P2 prototype-pollution 1"]);
  const page = (tag: string) => `exports.card = (name) => ${tag}\`<b title="\${name}">x</b>\`;`;
  expect(reviewed(page("html"))).toEqual([]);
  expect(reviewed(page(""))).toEqual(["P2 xss 1"]);
});
