const http = require('http');
const url = require('url');

const server = http.createServer(function (req, res) {
  const parsed = url.parse(req.url, true);
  const formula = parsed.query.formula;
  const result = eval(formula); // sink: code-injection
  res.end(String(result));
});

server.listen(process.env.PORT || 8080);
