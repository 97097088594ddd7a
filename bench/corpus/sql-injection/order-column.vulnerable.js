const COLUMNS = ['name', 'created', 'size'];

class FileIndex {
  constructor(db) {
    this.db = db;
  }

  list(column, direction) {
    const order = direction === 'desc' ? 'DESC' : 'ASC';
    return this.db.all('SELECT * FROM files ORDER BY ' + column + ' ' + order); // sink: sql-injection
  }
}

module.exports = { FileIndex, COLUMNS };
