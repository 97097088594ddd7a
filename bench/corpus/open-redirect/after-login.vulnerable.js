module.exports = function login(app, users) {
  app.post('/login', async (req, res) => {
    const user = await users.check(req.body.name, req.body.password);
    if (!user) return res.sendStatus(401);
    res.redirect(req.query.next || '/'); // sink: open-redirect
  });
};
