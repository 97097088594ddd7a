const COLUMNS = ['name', 'created', 'size'];

class FileIndex {
  constructor(db) {
    this.db = db;
  }

  list(column, direction) {
    if (!COLUMNS.includes(column)) throw new RangeError('unknown column');
    const order = direction === 'desc' ? 'DESC' : 'ASC';
    return this.db.all('SELECT * FROM files ORDER BY ' + column + ' ' + order);
  }
}

module.exports = { FileIndex, COLUMNS };
