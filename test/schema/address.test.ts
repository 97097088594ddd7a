import fc from "fast-check";
import { expect, test } from "vitest";
import {
  ADDRESS_CHARS_MAX,
  type Address,
  isImmutable,
  parseAddress,
  printAddress,
  type When,
  whyNotCitable,
} from "../../src/schema/address.ts";

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
const word = fc.oneof(fc.constant("any"), fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/));
const when: fc.Arbitrary<When> = fc.oneof(
  fc.record({ kind: fc.constantFrom("latest" as const, "first" as const) }),
  fc.record({
    kind: fc.constantFrom("back" as const, "forward" as const, "entry" as const),
    number: fc.nat(999_999_999),
  }),
  fc
    .date({ min: new Date(0), max: new Date("9999-01-01"), noInvalidDate: true })
    .map((date) => ({ kind: "moment" as const, at: date.toISOString() })),
  hex(64).map((digest) => ({ kind: "digest" as const, digest })),
  fc.oneof(hex(40), hex(64)).map((commit) => ({ kind: "commit" as const, commit })),
);
const part = fc
  .string({ unit: "binary", minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed() && !/[/\\\0]|^\.{1,2}$/.test(text));
const address: fc.Arbitrary<Address> = fc.record(
  {
    agent: word,
    role: word,
    project: word,
    task: word,
    when,
    path: fc.array(part, { maxLength: 5 }),
    fragment: part,
    query: fc.constantFrom("a=1", "a=1&b=/x"),
  },
  { requiredKeys: ["agent", "role", "project", "task", "when", "path"] },
);

test("every address that is printed is read back as it was", () => {
  fc.assert(
    fc.property(address, (made) => {
      const text = printAddress(made);
      fc.pre(text.length <= ADDRESS_CHARS_MAX);
      expect(parseAddress(text)).toEqual({ ok: true, address: made });
    }),
  );
});

test("whatever is read is printed as it was, and nothing that is read makes it throw", () => {
  const near = fc
    .tuple(address, fc.nat(200), fc.string({ unit: "binary", maxLength: 3 }))
    .map(([made, at, more]) => {
      const text = printAddress(made);
      return text.slice(0, at) + more + text.slice(at);
    });
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      const parsed = parseAddress(text);
      if (parsed.ok) expect(printAddress(parsed.address)).toBe(text);
      else expect(parsed.wrong.length).toBeGreaterThan(10);
    }),
    { numRuns: 500 },
  );
});

const PLACE = "ucxl://nia:executor@shop:login";
const HASH = "ab".repeat(32);

test.each([
  ["*^", { kind: "latest" }],
  ["*~", { kind: "first" }],
  ["*~7", { kind: "entry", number: 7 }],
  ["~~2", { kind: "back", number: 2 }],
  ["^^2", { kind: "forward", number: 2 }],
  ["2026-01-02T03:04:05Z", { kind: "moment", at: "2026-01-02T03:04:05Z" }],
  [`sha256:${HASH}`, { kind: "digest", digest: HASH }],
  [`git:${"0".repeat(40)}`, { kind: "commit", commit: "0".repeat(40) }],
])("the time %s is read", (text, expected) => {
  expect(parseAddress(`${PLACE}/${text}/fact/port`)).toMatchObject({
    ok: true,
    address: { agent: "nia", role: "executor", project: "shop", task: "login", when: expected },
  });
});

test.each([
  ["http://a:b@c:d/*^", "begin with ucxl://"],
  ["ucxl://a:b@c/*^", "agent:role@project:task"],
  ["ucxl://a@b:c:d/*^", "agent:role@project:task"],
  ["ucxl://a:b@c:d@e/*^", "agent:role@project:task"],
  [`${PLACE}`, "a time after the task"],
  // The source's own example has a bare # there, which every reader of addresses takes for a fragment.
  [`${PLACE}/#/planning/page.md#CHORUS-INT-004`, "one ? and one #"],
  [`${PLACE}/~~01`, "a time after the task"],
  [`${PLACE}/~~99999999999999999999`, "a time after the task"],
  [`${PLACE}/2026-02-30T00:00:00Z`, "a time after the task"],
  [`${PLACE}/sha256:${HASH.slice(1)}`, "a time after the task"],
  [`${PLACE}/sha256:${HASH.toUpperCase()}`, "a time after the task"],
  [`${PLACE}/*^/file/../../etc`, "without empty parts, . or .."],
  [`${PLACE}/*^/file/%2e%2e/etc`, "without empty parts, . or .."],
  [`${PLACE}/*^/file/a%2Fb`, "without empty parts"],
  [`${PLACE}/*^/file//b`, "without empty parts"],
  [`${PLACE}/*^/a%zz`, "the bytes of a letter"],
  [`${PLACE}/*^/%ff`, "the bytes of a letter"],
  [`${PLACE}/*^/%61`, "spelled ucxl://nia:executor@shop:login/*^/a"],
  [`${PLACE}/*^/ä`, "spelled"],
  [`${PLACE}/*^/${"a/".repeat(40)}a`, "at most 32 parts"],
  [`${PLACE}/*^/${"a".repeat(3_000)}`, "at most 2048 characters"],
])("%s is no address", (text, wrong) => {
  expect(parseAddress(text)).toEqual({ ok: false, wrong: expect.stringContaining(wrong) });
});

test("only what names a digest may be cited as fixed", () => {
  const fixed = [`sha256:${HASH}`, `git:${"0".repeat(40)}`];
  const moving = ["*^", "*~", "*~7", "~~1", "^^1", "2026-01-02T03:04:05.000Z"];
  for (const time of [...fixed, ...moving]) {
    const text = `${PLACE}/${time}/fact/port`;
    const parsed = parseAddress(text);
    expect(parsed.ok && isImmutable(parsed.address), text).toBe(fixed.includes(time));
    expect(whyNotCitable(text) === undefined, text).toBe(fixed.includes(time));
  }
  expect(whyNotCitable("see the wiki")).toContain("begin with ucxl://");
});
