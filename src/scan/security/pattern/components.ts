/** For each node the number of its strongly connected component, without recursion. */
export function components(count: number, next: (node: number) => Iterable<number>): number[] {
  const search = new Search(count, next);
  for (let root = 0; root < count; root += 1) search.from(root);
  return search.component;
}

interface Frame {
  readonly node: number;
  readonly edges: Iterator<number>;
}

/** Tarjan's search with a stack of its own. */
class Search {
  readonly component: number[];
  readonly #index: number[];
  readonly #low: number[];
  readonly #next: (node: number) => Iterable<number>;
  readonly #stack: number[] = [];
  readonly #frames: Frame[] = [];
  #visited = 0;
  #found = 0;

  constructor(count: number, next: (node: number) => Iterable<number>) {
    this.component = new Array<number>(count).fill(-1);
    this.#index = new Array<number>(count).fill(-1);
    this.#low = new Array<number>(count).fill(0);
    this.#next = next;
  }

  from(root: number): void {
    if (this.#index[root] !== -1) return;
    this.#open(root);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      const edge = frame.edges.next();
      if (edge.done) this.#close(frame.node);
      else this.#walk(frame.node, edge.value);
    }
  }

  #open(node: number): void {
    this.#index[node] = this.#visited;
    this.#low[node] = this.#visited;
    this.#visited += 1;
    this.#stack.push(node);
    this.#frames.push({ node, edges: this.#next(node)[Symbol.iterator]() });
  }

  #walk(from: number, to: number): void {
    if (this.#index[to] === -1) this.#open(to);
    else if (this.component[to] === -1) this.#lower(from, this.#index[to] ?? 0);
  }

  #lower(node: number, to: number): void {
    this.#low[node] = Math.min(this.#low[node] ?? 0, to);
  }

  #close(node: number): void {
    this.#frames.pop();
    const parent = this.#frames.at(-1);
    if (parent !== undefined) this.#lower(parent.node, this.#low[node] ?? 0);
    if (this.#low[node] !== this.#index[node]) return;
    let member = -1;
    while (member !== node) {
      member = this.#stack.pop() ?? node;
      this.component[member] = this.#found;
    }
    this.#found += 1;
  }
}
