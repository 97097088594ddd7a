const child = require('child_process');
const os = require('os');

function openUrl(url, app) {
  let cmd;
  switch (os.platform()) {
    case 'darwin':
      cmd = app ? `open -a ${app} ${url}` : `open ${url}`;
      break;
    default:
      cmd = `xdg-open ${url}`;
  }
  return new Promise((resolve, reject) => {
    child.exec(cmd, (err) => (err ? reject(err) : resolve())); // sink: command-injection
  });
}

module.exports = openUrl;
