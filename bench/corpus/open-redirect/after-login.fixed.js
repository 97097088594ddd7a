const PAGES = ['/home', '/profile'];

module.exports = function login(app, users) {
  app.post('/login', async (req, res) => {
    const user = await users.check(req.body.name, req.body.password);
    if (!user) return res.sendStatus(401);
    const next = req.query.next;
    res.redirect(PAGES.includes(next) ? next : '/');
  });
};
