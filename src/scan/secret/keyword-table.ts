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
    const connected = connect(trie);
    const renumbered = renumber(trie, connected.order);
    this.#next = rowsOf(trie, connected, renumbered.numbers, this.#width);
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

/** The keywords as paths from state 0; a state's children are a list, from the last one that was added. */
interface Trie {
  /** The children of state 0, which are many, by their column. */
  readonly first: Int32Array;
  readonly lastChild: Int32Array;
  /** The child of the same state before this one; 0 where there is none, because 0 is nobody's child. */
  readonly before: Int32Array;
  /** The column of the character that leads to a state. */
  readonly column: Int32Array;
  /** The keywords that end in a state; one entry a state. */
  readonly ends: (number[] | undefined)[];
}

/** Where a state goes on when no child fits, and all states in breadth-first order. */
interface Connected {
  readonly fallback: Int32Array;
  readonly order: Int32Array;
}

function growTrie(folded: readonly string[], columns: Uint16Array, width: number): Trie {
  const statesMax = folded.reduce((sum, { length }) => sum + length, 1);
  const oneForEach = () => new Int32Array(statesMax);
  const ends: (number[] | undefined)[] = [undefined];
  const lists = { lastChild: oneForEach(), before: oneForEach(), column: oneForEach() };
  const trie = { first: new Int32Array(width), ...lists, ends };
  for (let keyword = 0; keyword < folded.length; keyword += 1) {
    const text = folded[keyword] as string;
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const own = columns[text.charCodeAt(at)] as number;
      state = childAt(trie, state, own) || addChild(trie, state, own);
    }
    const ending = ends[state];
    if (ending === undefined) ends[state] = [keyword];
    else ending.push(keyword);
  }
  return trie;
}

function addChild(trie: Trie, state: number, own: number): number {
  const { first, lastChild, before, column, ends } = trie;
  const child = ends.push(undefined) - 1;
  before[child] = lastChild[state] as number;
  lastChild[state] = child;
  column[child] = own;
  if (state === 0) first[own] = child;
  return child;
}

/** The child of a state by a column; 0 where there is none. */
function childAt({ first, lastChild, before, column }: Trie, state: number, own: number): number {
  if (state === 0) return first[own] as number;
  let child = lastChild[state] as number;
  while (child !== 0 && column[child] !== own) child = before[child] as number;
  return child;
}

function connect(trie: Trie): Connected {
  const { lastChild, before, column, ends } = trie;
  const fallback = new Int32Array(ends.length);
  const order = new Int32Array(ends.length);
  let known = 1;
  for (let at = 0; at < known; at += 1) {
    const state = order[at] as number;
    for (let child = lastChild[state] as number; child !== 0; child = before[child] as number) {
      const other = state === 0 ? 0 : follow(trie, fallback, state, column[child] as number);
      fallback[child] = other;
      ends[child] = joined(ends[child], ends[other]);
      order[known] = child;
      known += 1;
    }
  }
  return { fallback, order };
}

/** Where a character leads from where a state falls back to, and from there, down to the start. */
function follow(trie: Trie, fallback: Int32Array, state: number, own: number): number {
  for (let at = fallback[state] as number; ; at = fallback[at] as number) {
    const child = childAt(trie, at, own);
    if (child !== 0 || at === 0) return child;
  }
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

/**
 * One row a state: that of the state it falls back to, which comes before it in order, with its own children
 * put in. Whole rows are copied at once: it runs once in nearly every command, and going through single cells
 * took longer than all that the table is then used for.
 */
function rowsOf(
  { lastChild, before, column, ends }: Trie,
  { fallback, order }: Connected,
  numbers: Int32Array,
  width: number,
): Int32Array {
  const next = new Int32Array(ends.length * width);
  for (const state of order) {
    const row = (numbers[state] as number) * width;
    const back = (numbers[fallback[state] as number] as number) * width;
    next.copyWithin(row, back, back + width);
    for (let child = lastChild[state] as number; child !== 0; child = before[child] as number) {
      next[row + (column[child] as number)] = (numbers[child] as number) * width;
    }
  }
  return next;
}
