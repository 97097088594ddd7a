const { exec } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

const FOLDER = path.resolve("invoices");

function printInvoice(req, res) {
  exec(`lp -d ${req.query.printer} ${FOLDER}/today.pdf`, (error) => {
    res.status(error ? 500 : 204).end();
  });
}

function readInvoice(req, res) {
  fs.readFile(path.join(FOLDER, req.params.name), (error, bytes) => {
    if (error) return res.status(404).end();
    res.type("pdf").send(bytes);
  });
}

function safeName(name) {
  return /^[a-z0-9-]+\.pdf$/.test(name);
}

module.exports = { printInvoice, readInvoice, safeName };
