/**
 * Writes small WebAssembly modules with the interface of policies that OPA compiles. They are put
 * together by hand, because a policy that loops, traps or grabs memory is what no compiler makes.
 */
export interface OpaModule {
  /** The instructions of `opa_eval`, without their end. */
  readonly evaluate: readonly number[];
  /** What lies at ANSWER and at OTHER_ANSWER. */
  readonly answer?: string;
  readonly otherAnswer?: string;
  readonly entrypoints?: string;
  readonly abiVersion?: number;
  /** A memory of its own, in pages. */
  readonly ownMemoryPages?: number;
}

const BUILTINS = 1_024;
const ENTRYPOINTS = 2_048;
export const ANSWER = 4_096;
export const OTHER_ANSWER = 8_192;
const HEAP = 65_536;
const PRINTLN = 0;

const I32 = 0x7f;
const END = 0x0b;
export const constant = (value: number): number[] => [0x41, ...signed(value)];
export const println = (address: number): number[] => [...constant(address), 0x10, PRINTLN];
export const FOR_EVER = [0x03, 0x40, 0x0c, 0x00, END, ...constant(0)];
export const TRAP = [0x00];
/** Gives ANSWER when it got that much memory, else OTHER_ANSWER. */
export const grow = (pages: number): number[] => [
  ...[...constant(pages), 0x40, 0x00, ...constant(-1), 0x47],
  ...[0x04, I32, ...constant(ANSWER), 0x05, ...constant(OTHER_ANSWER), END],
];
/** Gives OTHER_ANSWER when the input has that character in it, else ANSWER. */
export const refuseInputWith = (character: string): number[] => [
  ...[0x20, 3, 0x21, 7, 0x02, 0x40, 0x03, 0x40],
  ...[0x20, 7, 0x20, 3, 0x20, 4, 0x6a, 0x4f, 0x0d, 1],
  ...[0x20, 7, 0x2d, 0, 0, ...constant(character.charCodeAt(0)), 0x46],
  ...[0x04, 0x40, ...constant(OTHER_ANSWER), 0x0f, END],
  ...[0x20, 7, ...constant(1), 0x6a, 0x21, 7, 0x0c, 0, END, END],
  ...constant(ANSWER),
];

export function opaModule(policy: OpaModule): Buffer {
  const { evaluate, answer = '[{"result":true}]', otherAnswer = '[{"result":false}]' } = policy;
  const { entrypoints = '{"sworn/allow":0}', abiVersion = 1, ownMemoryPages } = policy;
  const functions = [
    { name: "builtins", type: 0, body: constant(BUILTINS) },
    { name: "entrypoints", type: 0, body: constant(ENTRYPOINTS) },
    { name: "opa_heap_ptr_get", type: 0, body: constant(HEAP) },
    { name: "opa_json_dump", type: 1, body: [0x20, 0] },
    { name: "opa_malloc", type: 1, body: constant(HEAP) },
    { name: "opa_json_parse", type: 2, body: [0x20, 0] },
    { name: "opa_heap_ptr_set", type: 3, body: [] },
    { name: "opa_eval", type: 4, body: evaluate },
  ];
  const types = [
    [[], [I32]],
    [[I32], [I32]],
    [[I32, I32], [I32]],
    [[I32], []],
    [Array.from({ length: 7 }, () => I32), [I32]],
  ] as const;
  return Buffer.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(types.map(([from, to]) => [0x60, ...bytes(from), ...bytes(to)]))),
    ...section(
      2,
      list([
        [...text("env"), ...text("opa_println"), 0x00, 3],
        ...(ownMemoryPages === undefined
          ? [[...text("env"), ...text("memory"), 0x02, 0x00, 2]]
          : []),
      ]),
    ),
    ...section(3, list(functions.map(({ type }) => [type]))),
    ...(ownMemoryPages === undefined
      ? []
      : section(5, list([[0x00, ...unsigned(ownMemoryPages)]]))),
    ...section(6, list([abiVersion, 2].map((value) => [I32, 0x00, ...constant(value), END]))),
    ...section(
      7,
      list([
        ...functions.map(({ name }, index) => [...text(name), 0x00, index + 1]),
        [...text("opa_wasm_abi_version"), 0x03, 0],
        [...text("opa_wasm_abi_minor_version"), 0x03, 1],
      ]),
    ),
    ...section(10, list(functions.map(({ body }) => bytes([1, 1, I32, ...body, END])))),
    ...section(
      11,
      list([
        data(BUILTINS, "{}"),
        data(ENTRYPOINTS, entrypoints),
        data(ANSWER, answer),
        data(OTHER_ANSWER, otherAnswer),
      ]),
    ),
  ]);
}

const section = (id: number, content: number[]): number[] => [id, ...bytes(content)];
const list = (items: readonly (readonly number[])[]): number[] => [
  ...unsigned(items.length),
  ...items.flat(),
];
const bytes = (content: readonly number[]): number[] => [...unsigned(content.length), ...content];
const text = (value: string): number[] => bytes([...Buffer.from(value)]);
const data = (at: number, value: string): number[] => [
  0x00,
  ...constant(at),
  END,
  ...text(`${value}\0`),
];

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
