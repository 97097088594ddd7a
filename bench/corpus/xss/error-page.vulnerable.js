const express = require('express');
const app = express();

app.use(function (req, res) {
  res.status(404).send('<h1>Nothing at ' + req.originalUrl + '</h1>'); // sink: xss
});

module.exports = app;
