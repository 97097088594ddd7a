/** Called for each keyword found: its number, and where it starts. */
type OnKeyword = (keyword: number, start: number) => void;

/**
 * Finds any of many keywords in one pass, without regard to the case of ASCII letters: an
 * Aho-Corasick automaton as one flat table. A character costs two reads and a comparison however
 * many keywords there are, so that plain text is passed over quickly.
 */
export class KeywordTable {
  readonly #lengths: readonly number[];
  /** The column of each UTF-16 unit; 0 for all that appear in no keyword. */
  readonly #columns = new Uint16Array(65_536);
  readonly #width: number;
  /** Row by state, column by character; an entry is the next row's first index. */
  readonly #next: Int32Array;
  /** The keywords that end in a state, by state. */
  readonly #ends: readonly (readonly number[] | undefined)[];
  /** States are numbered so that those with an end come last: one comparison tells. */
  readonly #firstEnd: number;

  /** An empty keyword would be everywhere; there must be none. */
  constructor(keywords: readonly string[]) {
    const folded = keywords.map(fold);
    this.#lengths = folded.map((keyword) => keyword.length);
    this.#width = this.#assignColumns(folded);
    const trie = growTrie(folded, this.#columns, this.#width);
    const order = connect(trie);
    const renumbered = renumber(trie, order);
    this.#next = flatten(trie, renumbered.numbers);
    this.#ends = renumbered.ends;
    this.#firstEnd = renumbered.firstEnd * this.#width;
  }

  scan(text: string, onKeyword: OnKeyword): void {
    const [columns, next, firstEnd] = [this.#columns, this.#next, this.#firstEnd];
    let row = 0;
    for (let at = 0; at < text.length; at += 1) {
      row = next[row + (columns[text.charCodeAt(at)] as number)] as number;
      if (row >= firstEnd) this.#report(row, at, onKeyword);
    }
  }

  #report(row: number, at: number, onKeyword: OnKeyword): void {
    for (const keyword of this.#ends[row / this.#width] ?? []) {
      onKeyword(keyword, at + 1 - (this.#lengths[keyword] ?? 0));
    }
  }

  #assignColumns(folded: readonly string[]): number {
    let width = 1;
    for (const unit of folded.join("").split("")) {
      const code = unit.charCodeAt(0);
      if (this.#columns[code] !== 0) continue;
      this.#columns[code] = width;
      const upper = unit.toUpperCase();
      if (/^[a-z]$/.test(unit)) this.#columns[upper.charCodeAt(0)] = width;
      width += 1;
    }
    return width;
  }
}

/** Lower case for ASCII letters only; other letters change their length or meaning. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

interface Trie {
  /** One row a state, one column a character; 0, where every keyword starts, where no child is. */
  readonly children: Int32Array;
  readonly width: number;
  /** The keywords that end in a state; one entry a state. */
  readonly ends: (number[] | undefined)[];
}

/** All rows are one array: thousands of small ones cost more to make than all that is done to them. */
function growTrie(folded: readonly string[], columns: Uint16Array, width: number): Trie {
  const statesMax = folded.reduce((sum, { length }) => sum + length, 1);
  const children = new Int32Array(statesMax * width);
  const ends: (number[] | undefined)[] = [undefined];
  for (let keyword = 0; keyword < folded.length; keyword += 1) {
    const text = folded[keyword] as string;
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const place = state * width + (columns[text.charCodeAt(at)] as number);
      if (children[place] === 0) children[place] = ends.push(undefined) - 1;
      state = children[place] as number;
    }
    const ending = ends[state];
    if (ending === undefined) ends[state] = [keyword];
    else ending.push(keyword);
  }
  return { children: children.subarray(0, ends.length * width), width, ends };
}

/** Fills in where each state goes on when no child fits, in breadth-first order, which is returned. */
function connect({ children, width, ends }: Trie): Int32Array {
  const fallback = new Int32Array(ends.length);
  const order = new Int32Array(ends.length);
  let known = 1;
  for (let at = 0; at < known; at += 1) {
    const state = order[at] as number;
    const [row, back] = [state * width, (fallback[state] as number) * width];
    for (let column = 0; column < width; column += 1) {
      const child = children[row + column] as number;
      const other = state === 0 ? 0 : (children[back + column] as number);
      if (child === 0) {
        children[row + column] = other;
        continue;
      }
      fallback[child] = other;
      ends[child] = joined(ends[child], ends[other]);
      order[known] = child;
      known += 1;
    }
  }
  return order;
}

function joined(own: number[] | undefined, more: number[] | undefined): number[] | undefined {
  return own === undefined || more === undefined ? (own ?? more) : [...own, ...more];
}

function renumber({ ends }: Trie, order: Int32Array) {
  const plain = order.filter((state) => ends[state] === undefined);
  const ending = order.filter((state) => ends[state] !== undefined);
  const numbers = new Int32Array(order.length);
  plain.forEach((state, index) => {
    numbers[state] = index;
  });
  const byNumber: (readonly number[] | undefined)[] = new Array(order.length);
  ending.forEach((state, index) => {
    numbers[state] = plain.length + index;
    byNumber[plain.length + index] = ends[state];
  });
  return { numbers, firstEnd: plain.length, ends: byNumber };
}

function flatten({ children, width }: Trie, numbers: Int32Array): Int32Array {
  const next = new Int32Array(children.length);
  for (let state = 0; state < numbers.length; state += 1) {
    const [from, to] = [state * width, (numbers[state] as number) * width];
    for (let column = 0; column < width; column += 1) {
      const child = children[from + column] as number;
      next[to + column] = (numbers[child] as number) * width;
    }
  }
  return next;
}
