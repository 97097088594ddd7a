const express = require('express');
const axios = require('axios');
const app = express();

app.get('/proxy', async (req, res) => {
  const target = req.query.url;
  const upstream = await axios.get(target, { responseType: 'stream' }); // sink: ssrf
  upstream.data.pipe(res);
});

module.exports = app;
