var http = require('http'), fs = require('fs'), url = require('url');

http.createServer(function (request, response) {
  var uri = url.parse(request.url).pathname;
  var filename = process.cwd() + uri;
  fs.exists(filename, function (exists) {
    if (!exists) {
      response.writeHead(404);
      response.end();
      return;
    }
    fs.createReadStream(filename).pipe(response); // sink: path-traversal
  });
}).listen(8888);
