module.exports = function makeBoundary() {
  let boundary = "--";
  for (let at = 0; at < 24; at += 1) boundary += Math.floor(Math.random() * 10); // sink: weak-crypto
  return boundary;
};
