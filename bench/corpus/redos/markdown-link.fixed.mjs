const LINK = /^!?\[([^[\]]*)\]\(([^\s()"]*)\)$/;

export class LinkParser {
  parse(line) {
    const found = LINK.exec(line);
    return found ? { text: found[1], href: found[2] } : null;
  }
}
