const express = require('express');
const { exec } = require('child_process');
const router = express.Router();

router.get('/ping', (req, res) => {
  const { host } = req.query;
  exec('ping -c 1 ' + host, (err, stdout) => { // sink: command-injection
    if (err) return res.status(500).json({ error: 'failed' });
    res.json({ output: stdout });
  });
});

module.exports = router;
