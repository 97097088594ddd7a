const express = require("express");
const { orders } = require("./orders");

const app = express();

app.get("/orders/:id", (req, res) => {
  const order = orders.get(req.params.id);
  if (!order) return res.status(404).end();
  res.json(order);
});

module.exports = app;
