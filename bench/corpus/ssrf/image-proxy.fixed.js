const express = require('express');
const axios = require('axios');
const app = express();
const ALLOWED = new Set(['images.example.org']);

app.get('/proxy', async (req, res) => {
  const target = req.query.url;
  const { hostname } = new URL(target);
  if (!ALLOWED.has(hostname)) return res.sendStatus(403);
  const upstream = await axios.get(target, { responseType: 'stream' });
  upstream.data.pipe(res);
});

module.exports = app;
