const NUMBER = '\\s*([+-]?\\d*\\.?\\d+)\\s*';
const RGB = new RegExp('^rgb\\(' + [NUMBER, NUMBER, NUMBER] + '\\)$'); // sink: redos

exports.parse = (text) => RGB.exec(text);
