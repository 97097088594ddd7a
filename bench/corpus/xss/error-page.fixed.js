const express = require('express');
const escapeHtml = require('escape-html');
const app = express();

app.use(function (req, res) {
  res.status(404).send('<h1>Nothing at ' + escapeHtml(req.originalUrl) + '</h1>');
});

module.exports = app;
