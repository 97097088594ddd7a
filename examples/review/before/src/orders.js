const orders = new Map();

function addOrder(id, items) {
  if (orders.has(id)) throw new Error(`there is an order ${id} already`);
  orders.set(id, { items, total: total(items) });
}

function total(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

module.exports = { addOrder, orders };
