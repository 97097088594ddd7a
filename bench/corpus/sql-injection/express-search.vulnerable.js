const mysql = require('mysql');
const connection = mysql.createConnection(process.env.DATABASE_URL);

module.exports = function (app) {
  app.get('/products', function (req, res, next) {
    let query = 'SELECT * FROM products';
    if (req.query.category) {
      query += " WHERE category = '" + req.query.category + "'";
    }
    connection.query(query, function (err, rows) { // sink: sql-injection
      if (err) return next(err);
      res.json(rows);
    });
  });
};
