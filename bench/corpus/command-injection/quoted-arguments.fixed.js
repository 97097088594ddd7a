const child = require('child_process');
const os = require('os');
const shellescape = require('shell-escape');

function openUrl(url, app) {
  let cmd;
  switch (os.platform()) {
    case 'darwin':
      cmd = app ? 'open -a ' + shellescape([app, url]) : 'open ' + shellescape([url]);
      break;
    default:
      cmd = 'xdg-open ' + shellescape([url]);
  }
  return new Promise((resolve, reject) => {
    child.exec(cmd, (err) => (err ? reject(err) : resolve()));
  });
}

module.exports = openUrl;
