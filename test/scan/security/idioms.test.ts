import { describe, expect, test } from "vitest";
import { alarms } from "./reviewing.ts";

const cp = 'const cp = require("child_process");\n';
const fs = 'const fs = require("fs");\nconst path = require("path");\n';

/** What it is about, its category, code that is weak, and the same code made sound. */
const ROWS: readonly (readonly [string, string, string, string])[] = [
  [
    "a promise that becomes what it was given",
    "command-injection",
    `${cp}const ping = (a) => new Promise((resolve) => { wait(() => resolve(a)); });\nconst arp = (a) => cp.exec("arp " + a);\nmodule.exports = (a) => ping(a).then(arp);`,
    `${cp}const ping = (a) => new Promise((resolve) => { wait(() => resolve(7)); });\nconst arp = (a) => cp.exec("arp " + a);\nmodule.exports = (a) => ping(a).then(arp);`,
  ],
  [
    "a callback that gets what its caller hands over",
    "command-injection",
    `${cp}function find(name, done) { done(null, name); }\nexports.f = (name) => find(name, (err, x) => cp.exec("ls " + x));`,
    `${cp}function find(name, done) { done(name, "a"); }\nexports.f = (name) => find(name, (err, x) => cp.exec("ls " + x));`,
  ],
  [
    "a function that is bound to its arguments",
    "command-injection",
    `${cp}function run(a) { cp.exec("ls " + a); }\nexports.f = (a) => start().then(run.bind(null, a));`,
    `${cp}function run(a) { cp.exec("ls " + a); }\nexports.f = (a) => start().then(run.bind(null, "x"));`,
  ],
  [
    "a function that makes objects, kept to itself",
    "command-injection",
    `${cp}function Info(name) { this.name = name; }\nInfo.prototype.get = function () { return cp.exec("info " + this.name); };\nmodule.exports = (name) => new Info(name);`,
    `${cp}function Info(name) { this.name = Number(name); }\nInfo.prototype.get = function () { return cp.exec("info " + this.name); };\nmodule.exports = (name) => new Info(name);`,
  ],
  [
    "a field of a field, under another name of the object",
    "command-injection",
    `${cp}function Info(name, o) { this.o = o || {}; this.o.more = [name]; }\nInfo.prototype.get = function () { const that = this; return cp.exec("info " + that.o.more.join(" ")); };\nmodule.exports = Info;`,
    `${cp}function Info(name, o) { this.o = o || {}; this.o.more = ["-v"]; }\nInfo.prototype.get = function () { const that = this; return cp.exec("info " + that.o.more.join(" ")); };\nmodule.exports = Info;`,
  ],
  [
    "a list in a field that grows",
    "command-injection",
    `${cp}function Tool() { this.args = []; }\nTool.prototype.add = function (a) { this.args.push(a); };\nTool.prototype.go = function () { cp.exec("tool " + this.args.join(" ")); };\nmodule.exports = Tool;`,
    `${cp}function Tool() { this.args = []; }\nTool.prototype.add = function (a) { this.args.push("-v"); };\nTool.prototype.go = function () { cp.exec("tool " + this.args.join(" ")); };\nmodule.exports = Tool;`,
  ],
  [
    "a value that is put into a written text",
    "command-injection",
    `${cp}const say = 'say "{text}"';\nexports.f = (text) => cp.exec(say.replace("{text}", text));`,
    `${cp}const say = 'say "{text}"';\nexports.f = (text) => cp.exec(say.replace("{text}", parseInt(text, 10)));`,
  ],
  [
    "a shell that a variable asks for",
    "command-injection",
    `${cp}exports.run = (program, args) => { const o = { shell: true }; return cp.spawn(program, args, o); };`,
    `${cp}exports.run = (program, args, shell = false) => { const o = { shell }; return cp.spawn(program, args, o); };`,
  ],
  [
    "arguments for a shell, and their quoting",
    "command-injection",
    `${cp}exports.run = (program, args) => cp.spawn(program, args, { shell: true });`,
    `const { quoteAll } = require("shescape");\n${cp}exports.run = (program, args) => { args = quoteAll(args); return cp.spawn(program, args, { shell: true }); };`,
  ],
  [
    "a well-known program that a function of another file runs",
    "command-injection",
    'const tools = require("./tools");\nexports.f = ({ url }) => tools.run(`git clone ${url}`);',
    'const tools = require("./tools");\nexports.f = ({ url }) => tools.run("git", ["clone", url]);',
  ],
  [
    "options of git, handed over by a function of this file",
    "command-injection",
    'const run = require("cross-spawn");\nexports.f = (url) => { spawn("git", ["clone", url]); };\nfunction spawn(program, args) { return run(program, args); }',
    'const run = require("cross-spawn");\nexports.f = (url) => { spawn("git", ["clone", "--", url]); };\nfunction spawn(program, args) { return run(program, args); }',
  ],
  [
    "code that another process is given",
    "code-injection",
    `${cp}exports.f = (data) => cp.spawn(process.argv[0], ["-e", "write('" + data.replace(/'/g, "x") + "')"]);`,
    `${cp}exports.f = (data) => cp.spawn(process.argv[0], ["-e", "write(" + JSON.stringify(data) + ")"]);`,
  ],
  [
    "front matter that may be code",
    "code-injection",
    'const matter = require("gray-matter");\nexports.f = (text) => matter(text).content;',
    'const matter = require("gray-matter");\nexports.f = (text) => matter(text, { engines: { js: () => ({}) } }).content;',
  ],
  [
    "a server that calls its answer otherwise",
    "path-traversal",
    `${fs}require("http").createServer((wanted, given) => { fs.readFile("./" + wanted.url, given.end); });`,
    `${fs}require("http").createServer((wanted, given) => { fs.readFile("./" + path.basename(wanted.url), given.end); });`,
  ],
  [
    "modules in an object of one's own",
    "path-traversal",
    "const lib = load();\nexports.f = (req, res) => { const disk = lib.fs; disk.stat('root/' + req.url, res.end); };",
    "const lib = load();\nexports.f = (req, res) => { const disk = lib.fs; disk.stat(lib.path.basename(req.url), res.end); };",
  ],
  [
    "a first slash that is looked for",
    "path-traversal",
    `${fs}exports.f = (req, res) => { let p = decodeURI(req.url); while (p.substr(0, 1) === "/") p = p.substr(1); fs.readFile(path.join("root", p), res.end); };`,
    `${fs}exports.f = (req, res) => { let p = path.join(ROOT, decodeURI(req.url)); if (p.substr(0, ROOT.length) !== ROOT) return; fs.readFile(p, res.end); };`,
  ],
  [
    "something that is looked for anywhere in a path",
    "path-traversal",
    `${fs}exports.f = (req, res, part) => { const p = path.join(ROOT, req.url); if (p.indexOf(part) === -1) return; fs.readFile(p, res.end); };`,
    `${fs}exports.f = (req, res, part) => { const p = path.join(ROOT, req.url); if (p.indexOf(part) !== 0) return; fs.readFile(p, res.end); };`,
  ],
  [
    "a refusal after which nothing is sent",
    "path-traversal",
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); if (p.indexOf(ROOT) !== 0) { log(p); } res.sendFile(p); };`,
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); if (p.indexOf(ROOT) !== 0) { res.sendStatus(404); } res.sendFile(p); };`,
  ],
  [
    "a refusal by its number",
    "path-traversal",
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); if (p.indexOf(ROOT) !== 0) { res.status(200).send("a"); } res.sendFile(p); };`,
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); if (p.indexOf(ROOT) !== 0) { res.status(403).send("a"); } res.sendFile(p); };`,
  ],
  [
    "a table of allowed words",
    "command-injection",
    `${cp}const TYPES = { jpg: 1, png: 1 };\nexports.f = (type) => { if (!type) type = "png"; cp.exec("convert " + type); };`,
    `${cp}const TYPES = { jpg: 1, png: 1 };\nexports.f = (type) => { if (!TYPES[type]) type = "png"; cp.exec("convert " + type); };`,
  ],
  [
    "a date that is read as one",
    "command-injection",
    `${cp}exports.f = (date) => { if (typeof date !== "undefined" && !date.length) return; cp.exec("npm --before " + date); };`,
    `${cp}exports.f = (date) => { if (typeof date !== "undefined" && !new Date(date).getTime()) return; cp.exec("npm --before " + date); };`,
  ],
  [
    "an address that is checked by another package",
    "command-injection",
    `const ip = require("ip");\n${cp}exports.f = (a) => { if (!ip.toBuffer(a)) return; cp.exec("arp " + a); };`,
    `const ip = require("ip");\n${cp}exports.f = (a) => { if (!ip.isV4Format(a) && !ip.isV6Format(a)) return; cp.exec("arp " + a); };`,
  ],
  [
    "a list that grows in one branch",
    "command-injection",
    `${cp}exports.f = (o) => { const args = ["log"]; if (o.x) args.push("--x=" + o.x); cp.exec("git " + args.join(" ")); };`,
    `${cp}exports.f = (o) => { const args = ["log"]; if (o.x) args.push("--x"); cp.exec("git " + args.join(" ")); };`,
  ],
  [
    "a function that is wrapped before it is given away",
    "command-injection",
    `${cp}const co = require("co");\nexports.f = co.wrap(function* (a) { yield cp.exec("ls " + a); });`,
    `${cp}const co = require("co");\nexports.f = co.wrap(function* (a) { yield cp.execFile("ls", [a]); });`,
  ],
  [
    "characters of a list that a text must not have",
    "command-injection",
    `${cp}const BAD = ["a", "b"];\nexports.f = (a) => { for (const one of BAD) if (a.includes(one)) return; cp.exec("ls " + a); };`,
    `${cp}const BAD = [";", "|"];\nexports.f = (a) => { for (const one of BAD) if (a.includes(one)) return; cp.exec("ls " + a); };`,
  ],
  [
    "a match that is compared with nothing",
    "command-injection",
    `${cp}exports.f = (a) => { if (a.match(/^\\d+$/) !== null) return; cp.exec("ls " + a); };`,
    `${cp}exports.f = (a) => { if (a.match(/^\\d+$/) === null) return; cp.exec("ls " + a); };`,
  ],
  [
    "a function that only throws",
    "command-injection",
    `${cp}function fail() { log(); }\nexports.f = (a) => { /^\\w+$/.test(a) || fail(); cp.exec("ls " + a); };`,
    `${cp}function fail() { throw new Error("no"); }\nexports.f = (a) => { /^\\w+$/.test(a) || fail(); cp.exec("ls " + a); };`,
  ],
  [
    "a switch that lets a few words through",
    "command-injection",
    `${cp}exports.f = (a) => { switch (a) { case "x": break; default: log(a); } cp.exec("ls " + a); };`,
    `${cp}exports.f = (a) => { switch (a) { case "x": break; default: return; } cp.exec("ls " + a); };`,
  ],
  [
    "dots that are looked for before the address is decoded",
    "path-traversal",
    `${fs}exports.f = (req, res) => { if (req.url.indexOf("..") !== -1) return; const p = decodeURIComponent(req.url); fs.readFile(path.join(ROOT, p), res.end); };`,
    `${fs}exports.f = (req, res) => { const p = decodeURIComponent(req.url); if (~p.indexOf("..")) return; fs.readFile(path.join(ROOT, p), res.end); };`,
  ],
  [
    "climbing that is taken off the start",
    "path-traversal",
    `${fs}exports.f = (req, res) => { const p = path.normalize(req.url.slice(1)).replace(/^\\.\\//, ""); fs.readFile(path.join(ROOT, p), res.end); };`,
    `${fs}exports.f = (req, res) => { const p = path.normalize(req.url.slice(1)).replace(/^(\\.\\.[\\/\\\\])+/, ""); fs.readFile(path.join(ROOT, p), res.end); };`,
  ],
  [
    "a path that was made from the checked one before the check",
    "path-traversal",
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); const zipped = p + ".gz"; if (p.length === 0) return; fs.readFile(zipped, res.end); };`,
    `${fs}exports.f = (req, res) => { const p = path.join(ROOT, req.url); const zipped = p + ".gz"; if (p.slice(0, ROOT.length) !== ROOT) return; fs.readFile(zipped, res.end); };`,
  ],
  [
    "a name among the options, and a folder among them",
    "path-traversal",
    `${fs}exports.f = (o) => fs.writeFileSync(path.join(HOME, o.name), "");`,
    `${fs}exports.f = (o) => fs.writeFileSync(path.join(HOME, o.dir), "");`,
  ],
  [
    "a header that sends visitors elsewhere",
    "open-redirect",
    "exports.f = (req, res) => { res.setHeader('Location', req.url + '/'); res.end(); };",
    "exports.f = (req, res) => { res.setHeader('Location', '/x' + req.url); res.end(); };",
  ],
  [
    "headers that send visitors elsewhere",
    "open-redirect",
    "exports.f = (req, res) => { res.writeHead(302, { Location: req.query.to }); res.end(); };",
    "exports.f = (req, res) => { res.writeHead(302, { Location: '/' + req.query.to }); res.end(); };",
  ],
  [
    "the page's own address",
    "open-redirect",
    "window.location.href = location.hash.slice(1);",
    "window.location.href = '/#' + location.hash.slice(1);",
  ],
  [
    "an address that is compared by its origin",
    "open-redirect",
    "exports.f = (req, res) => { const to = new URL(req.query.to); if (to.origin) res.redirect(req.query.to + to); };",
    "exports.f = (req, res) => { const to = new URL(req.query.to); if (to.origin === HERE.origin) res.redirect(to); };",
  ],
  [
    "the request inside of a framework's own",
    "open-redirect",
    "exports.f = (req, reply) => reply.redirect(req.raw.url);",
    "exports.f = (req, reply) => reply.redirect('/x' + req.raw.url);",
  ],
  [
    "a host from a list",
    "ssrf",
    'exports.f = (req, res) => { const u = new URL(req.query.u); if (!u.hostname) return; require("request")(u.href).pipe(res); };',
    'const OK = ["a.example"];\nexports.f = (req, res) => { const u = new URL(req.query.u); if (!OK.includes(u.hostname)) return; require("request")(u.href).pipe(res); };',
  ],
];

describe("an idiom is spoken about where it is weak and not where it is sound", () => {
  test.each(ROWS)("%s (%s)", (_name, category, weak, sound) => {
    expect(alarms(weak)).toContain(category);
    expect(alarms(sound)).not.toContain(category);
  });
});
