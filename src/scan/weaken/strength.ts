/** How something is examined, under the name that all runners share, and how much that demands. */
export interface Manner {
  readonly family: string;
  readonly strength: number;
  /** Where the name says it already: `toBeNull` expects `null`. */
  readonly expected?: readonly string[];
  /** Where the name holds a "not": `assertNotEqual`. */
  readonly isNegated?: true;
}

const value = (text: string): Manner => ({ family: "equals", strength: 100, expected: [text] });
const not = (manner: Manner): Manner => ({ ...manner, isNegated: true });
const manner = (family: string, strength: number): Manner => ({ family, strength });

const EQUALS = manner("equals", 100);
/** Deep or loose equality; of plain values it demands as much as identity. */
const ALIKE = manner("alike", 96);
const CONTAINS = manner("contains", 60);
const MATCHES = manner("matches", 55);
const ABOVE = manner("above", 50);
const BELOW = manner("below", 50);
const TRUTHY = manner("truthy", 30);
const DEFINED = manner("defined", 20);
const TYPE = manner("type", 45);
const CLOSE = manner("close", 70);
const THROWS = manner("throws", 65);
const SUBSET = manner("subset", 80);
const LENGTH = manner("length", 65);
const CALLED_WITH = manner("called-with", 80);
const CALLED_TIMES = manner("called-times", 75);
const CALLED = manner("called", 40);
const SNAPSHOT = manner("snapshot", 90);
const FAILS = manner("fails", 100);

/** Ways to examine, by the names that runners and assertion libraries give them, in lower case. */
const MANNERS: ReadonlyMap<string, Manner> = new Map(
  Object.entries({
    "tobe tostrictequal strictequal deepstrictequal is == === equals assertequal assertequals assertis assertlistequal assertdictequal assertsetequal asserttupleequal assertmultilineequal assertsequenceequal assertstrictequals toequaltypeof assert_equal assert_array_equal equal deep.equal":
      EQUALS,
    "toequal deepequal eql eqls deep.equals looseequal same assertobjectmatch": ALIKE,
    "tobenull null isnull assertisnone": value("null"),
    "tobeundefined undefined isundefined": value("undefined"),
    "tobetrue true istrue": value("true"),
    "tobefalse false isfalse": value("false"),
    "tobenan nan isnan": value("NaN"),
    "notequal notstrictequal notdeepequal notdeepstrictequal != !== isnot not assertnotequal assertnotequals assertisnot notequals":
      not(EQUALS),
    "tocontain tocontainequal contain contains include includes in arraycontaining stringcontaining assertin deep.include property.includes":
      CONTAINS,
    "assertnotin notinclude notincludes": not(CONTAINS),
    "tomatch match matches stringmatching assertregex assertmatch regex": MATCHES,
    "doesnotmatch notregex assertnotregex": not(MATCHES),
    "tobegreaterthan tobegreaterthanorequal > >= above least gt gte greaterthan assertgreater assertgreaterequal isabove isatleast":
      ABOVE,
    "tobelessthan tobelessthanorequal < <= below most lt lte lessthan assertless assertlessequal isbelow isatmost":
      BELOW,
    "tobetruthy ok assert truthy asserttrue isok": TRUTHY,
    "tobefalsy falsy notok assertfalse isnotok": { family: "falsy", strength: 35 },
    "tobedefined exist exists isdefined assertexists": DEFINED,
    "assertisnotnone isnotnull": DEFINED,
    "tobeinstanceof tobetypeof a an instanceof instance any assertisinstance isinstance typeof assertinstanceof isarray isstring isobject isfunction":
      TYPE,
    anything: manner("anything", 10),
    "tobecloseto closeto approximately approx assertalmostequal assert_allclose assert_almost_equal isclose":
      CLOSE,
    "tothrow tothrowerror throw throws rejects rejectedwith assertraises assertraisesregex raises assertthrows assertrejects throwsasync warns assertwarns tothrowerrormatchinginlinesnapshot":
      THROWS,
    "doesnotthrow doesnotreject notthrows notthrowsasync": not(THROWS),
    "tomatchobject objectcontaining partialdeepstrictequal matchobject containsubset": SUBSET,
    "tohaveproperty property assertcountequal": manner("property", 58),
    "tohavelength lengthof length len": LENGTH,
    "tohavebeencalledwith tohavebeenlastcalledwith tohavebeennthcalledwith tohavebeencalledexactlyoncewith calledwith calledoncewith calledwithexactly assert_called_with assert_any_call assert_has_calls tobecalledwith":
      CALLED_WITH,
    assert_called_once_with: manner("called-with", 85),
    "tohavebeencalledtimes tohavebeencalledonce callcount calledonce assert_called_once tobecalledtimes":
      CALLED_TIMES,
    "tohavebeencalled called assert_called tobecalled tohavereturned": CALLED,
    "assert_not_called notcalled": not(CALLED),
    "tomatchsnapshot tomatchinlinesnapshot tomatchfilesnapshot tothrowerrormatchingsnapshot snapshot":
      SNAPSHOT,
    "tobeoneof oneof": manner("one-of", 50),
    "fail unreachable": FAILS,
    "assertions hasassertions plan": manner("count", 50),
  }).flatMap(([names, one]) => names.split(" ").map((name) => [name, one] as const)),
);

/** A check that somebody wrote; what it demands stands elsewhere. */
const OWN_STRENGTH = 75;

export function mannerOf(name: string): Manner {
  return (
    MANNERS.get(name.toLowerCase()) ?? {
      family: `own:${name.slice(0, 100)}`,
      strength: OWN_STRENGTH,
    }
  );
}

export function isManner(name: string): boolean {
  return MANNERS.has(name.toLowerCase());
}

/** What one examined thing alone lets through, whatever it is held against: `typeof x` says little. */
const WEAK_SUBJECTS: readonly (readonly [RegExp, number])[] = [
  [/^(?:typeof |type \( )/, 40],
  [/^Array \. isArray \(/, 40],
  [/ instanceof |^isinstance \(|^callable \(|^hasattr \(/, 45],
  [/^(?:Boolean|bool) \( |^! !/, 30],
  [/ (?:\|\|) true$| or True$|^true \|\| |^True or /, 0],
];
const LITERAL =
  /^(?:true|false|null|undefined|NaN|None|True|False|[-+]? ?\d[\d._eE]*n?|"[^"]*"|'[^']*'|`[^`$]*`|\[ \]|\{ \}|\( \))$/;

export function isLiteral(text: string): boolean {
  return LITERAL.test(text);
}

/** Whether a text is made of literals alone, such as a list of numbers. */
export function isFixed(text: string): boolean {
  const bare = text
    .replaceAll(/"[^"]*"|'[^']*'|`[^`$]*`/g, "0")
    .replaceAll(/\b(?:true|false|null|undefined|NaN|None|True|False)\b/g, "0")
    // Only from where a word begins: else a long one would be looked at once for each of its letters.
    .replaceAll(/(?<![\w$])[\w$]+ :/g, "0 :");
  return !/[A-Za-z_$]/.test(bare.replaceAll(/\b\d[\w.]*/g, "0"));
}

/** How much is demanded of a thing, held against those things. */
export function strengthOf(
  { family, strength }: Manner,
  subject: string,
  expected: readonly string[],
  isNegated: boolean,
): number {
  if (isEmptyDemand(family, subject, expected)) return 0;
  const weak = WEAK_SUBJECTS.find(([pattern]) => pattern.test(subject))?.[1] ?? 100;
  return Math.min(weak, wildcard(expected[0]), ofFamily(family, strength, expected, isNegated));
}

function ofFamily(
  family: string,
  strength: number,
  expected: readonly string[],
  isNegated: boolean,
): number {
  if (isNegated) return NEGATED.get(family) ?? strength;
  // Of plain values, deep and loose equality demand as much as identity.
  if (family === "alike" && isLiteral(expected[0] ?? "")) return 100;
  if (family === "throws" && expected.length === 0) return 42;
  if (family === "property" && expected.length > 1) return 80;
  return strength;
}

/** "Anything but this one" says little; "never thrown" says much. */
const NEGATED: ReadonlyMap<string, number> = new Map([
  ["equals", 25],
  ["alike", 25],
  ["snapshot", 25],
  ["subset", 25],
  ["close", 25],
  ["truthy", 35],
  ["falsy", 30],
  ["defined", 90],
  ["throws", 60],
  ["called", 75],
]);

/** `expect(true).toBe(true)` and things that are held against themselves. */
function isEmptyDemand(family: string, subject: string, expected: readonly string[]): boolean {
  if (/^(?:fails|count|throws|snapshot|own:.*)$/s.test(family)) return false;
  if (isLiteral(subject)) return true;
  return (family === "equals" || family === "alike") && subject !== "" && subject === expected[0];
}

function wildcard(expected: string | undefined): number {
  const [, name = ""] = /^(?:expect|mock) \. (\w{1,40})/.exec(expected ?? "") ?? [];
  if (expected === "ANY" || name === "ANY") return 10;
  return name === "" || !isManner(name) ? 100 : mannerOf(name).strength;
}
