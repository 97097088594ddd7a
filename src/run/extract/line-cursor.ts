/**
 * Walks a text line by line without copying it. A line ends with LF or CRLF; a lone CR is content,
 * because a file that holds one has to come back as it was.
 */
export class LineCursor {
  readonly text: string;
  /** Where the line begins. */
  start = 0;
  /** Where it ends, its line end not included. */
  end = 0;
  /** Where the line after it begins. */
  next = 0;
  /** Counted from 1; 0 before the first line. */
  number = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Goes to the next line; false at the end of the text. */
  advance(): boolean {
    const { text, next } = this;
    if (next >= text.length) return false;
    const feed = text.indexOf("\n", next);
    const end = feed < 0 ? text.length : feed;
    this.start = next;
    this.next = feed < 0 ? text.length : feed + 1;
    this.end = end > next && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
    this.number += 1;
    return true;
  }

  /** Makes the line the next one again. */
  unread(): void {
    this.next = this.start;
    this.number -= 1;
  }

  /** Goes back to where a line began to be read: `next` and `number` as they were then. */
  rewind(next: number, number: number): void {
    this.next = next;
    this.number = number;
  }

  /** The line itself, without its end. */
  get line(): string {
    return this.text.slice(this.start, this.end);
  }

  /** How many spaces it begins with. */
  get indent(): number {
    return behind(SPACES, this.text, this.start) - this.start;
  }

  /** Whether nothing but spaces and tabs is on it. */
  get isBlank(): boolean {
    return behind(BLANKS, this.text, this.start) >= this.end;
  }
}

const CARRIAGE_RETURN = 13;
const SPACES = / */y;
const BLANKS = /[ \t]*/y;

/** Where the first other character stands. No line end is a blank, so that is within the line or its end. */
function behind(blanks: RegExp, text: string, from: number): number {
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}
