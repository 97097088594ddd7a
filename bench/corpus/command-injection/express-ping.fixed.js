const express = require('express');
const { exec } = require('child_process');
const router = express.Router();

router.get('/ping', (req, res) => {
  const { host } = req.query;
  if (!/^[a-z0-9.-]+$/i.test(host)) return res.status(400).json({ error: 'bad host' });
  exec('ping -c 1 ' + host, (err, stdout) => {
    if (err) return res.status(500).json({ error: 'failed' });
    res.json({ output: stdout });
  });
});

module.exports = router;
