const LINK = /!?\[(.*?)\]\((.*?)\s*(".*?")?\s*\)$/;

export class LinkParser {
  parse(line) {
    const found = LINK.exec(line); // sink: redos
    return found ? { text: found[1], href: found[2] } : null;
  }
}
