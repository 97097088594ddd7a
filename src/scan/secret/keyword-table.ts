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
    const order = connect(trie, this.#width);
    const renumbered = renumber(trie, order);
    this.#next = flatten(trie, renumbered.numbers, this.#width);
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
  /** Children by state and column; -1 where there is none, until the trie is connected. */
  readonly children: Int32Array[];
  /** The keywords that end in a state. */
  readonly ends: number[][];
}

function growTrie(folded: readonly string[], columns: Uint16Array, width: number): Trie {
  const trie: Trie = { children: [new Int32Array(width).fill(-1)], ends: [[]] };
  for (const [keyword, text] of folded.entries()) {
    let state = 0;
    for (const unit of text.split("")) {
      const column = columns[unit.charCodeAt(0)] ?? 0;
      const row = trie.children[state] as Int32Array;
      if (row[column] === -1) {
        row[column] = trie.children.length;
        trie.children.push(new Int32Array(width).fill(-1));
        trie.ends.push([]);
      }
      state = row[column] as number;
    }
    trie.ends[state]?.push(keyword);
  }
  return trie;
}

/** Fills in where each state goes on when no child fits, in breadth-first order, which is returned. */
function connect({ children, ends }: Trie, width: number): number[] {
  const fallback = new Int32Array(children.length);
  const order = [0];
  for (let at = 0; at < order.length; at += 1) {
    const state = order[at] as number;
    const row = children[state] as Int32Array;
    const back = children[fallback[state] as number] as Int32Array;
    for (let column = 0; column < width; column += 1) {
      const child = row[column] as number;
      const other = state === 0 ? 0 : (back[column] as number);
      if (child === -1) {
        row[column] = other;
        continue;
      }
      fallback[child] = other;
      ends[child]?.push(...(ends[other] ?? []));
      order.push(child);
    }
  }
  return order;
}

function renumber({ ends }: Trie, order: readonly number[]) {
  const plain = order.filter((state) => ends[state]?.length === 0);
  const ending = order.filter((state) => ends[state]?.length !== 0);
  const numbers = new Int32Array(order.length);
  for (const [number, state] of [...plain, ...ending].entries()) numbers[state] = number;
  const byNumber: (readonly number[] | undefined)[] = new Array(order.length);
  for (const state of ending) byNumber[numbers[state] as number] = ends[state];
  return { numbers, firstEnd: plain.length, ends: byNumber };
}

function flatten({ children }: Trie, numbers: Int32Array, width: number): Int32Array {
  const next = new Int32Array(children.length * width);
  for (const [state, row] of children.entries()) {
    const from = (numbers[state] as number) * width;
    for (let column = 0; column < width; column += 1) {
      next[from + column] = (numbers[row[column] as number] as number) * width;
    }
  }
  return next;
}
