import type * as z from "zod";

/** What is read of a zod shape here; zod keeps it as plain data for those who read shapes. */
interface Definition {
  readonly type: string;
  readonly shape?: Record<string, z.core.$ZodType>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly out?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly getter?: () => z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly discriminator?: string;
  readonly entries?: Record<string, string>;
  readonly values?: readonly unknown[];
  readonly format?: string;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** What was given, or what is made of it. */
type Side = "in" | "out";

interface Check {
  readonly check: string;
  readonly value?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * The shape that judges the value at `path`; undefined where the shape knows no such place. Of a value
 * that is made from another one, `side` says which of the two is meant.
 */
export function shapeAt(
  shape: z.core.$ZodType,
  input: unknown,
  path: readonly PropertyKey[],
  side: Side = "in",
): z.core.$ZodType | undefined {
  const [step, ...rest] = path;
  const inner = opened(shape, input, side);
  if (step === undefined) return inner;
  const { shape: members, element, valueType } = definition(inner);
  const next = members?.[String(step)] ?? element ?? valueType;
  return next && shapeAt(next, memberOf(input, step), rest, side);
}

/** The value at `path` of what was given. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(memberOf, input);
}

/** The names of an object's members; `required` leaves out those that may be missing. */
export function memberNames(shape: z.core.$ZodType | undefined, only?: "required"): string[] {
  const members = Object.entries((shape && definition(shape).shape) ?? {});
  const isOptional = (member: z.core.$ZodType) =>
    ["optional", "default"].includes(definition(member).type);
  return members
    .filter(([, member]) => only === undefined || !isOptional(member))
    .map(([name]) => name);
}

/** What a shape accepts, as it stands behind "expected"; in brief without how long a text may be. */
export function expectedWords(shape: z.core.$ZodType | undefined, brief?: "brief"): string {
  if (!shape) return "something else";
  const inner = opened(shape, undefined);
  const { type, entries, values } = definition(inner);
  const { least, most } = boundsOf(inner);
  const words: Record<string, () => string> = {
    string: () => textWords(inner, brief),
    number: () => `a whole number${range(least, most, " ", "")}`,
    array: () => `a list${range(least, most, " of ", "")}`,
    boolean: () => "true or false",
    enum: () => `one of ${Object.values(entries ?? {}).join(", ")}`,
    literal: () => (values ?? []).map((value) => JSON.stringify(value)).join(" or "),
  };
  return words[type]?.() ?? objectWords(inner);
}

function textWords(shape: z.core.$ZodType, brief?: "brief"): string {
  if (definition(shape).format === "datetime") return "a time such as 2030-12-31T00:00:00.000Z";
  const { least, most } = boundsOf(shape);
  return brief ? "text" : `text${range(least, most, " of ", " characters")}`;
}

function objectWords(shape: z.core.$ZodType): string {
  const names = memberNames(shape, "required").join(", ");
  return names === "" ? "an object" : `an object with ${names}`;
}

/** What was given, as it stands behind "found": never more of it than helps to find the place. */
export function foundWords(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  const text = JSON.stringify(value) ?? String(value);
  if (text.length <= FOUND_CHARS_MAX) return text;
  return `${text.slice(0, FOUND_CHARS_MAX)}… (${text.length} characters)`;
}

const FOUND_CHARS_MAX = 60;

function definition(shape: z.core.$ZodType): Definition {
  return shape._zod.def as unknown as Definition;
}

/** Takes off what stands around a shape: lazy, optional, default, and the choice between kinds. */
function opened(shape: z.core.$ZodType, input: unknown, side: Side = "in"): z.core.$ZodType {
  const { type, getter, innerType, options = [], discriminator, ...sides } = definition(shape);
  const inner = getter?.() ?? innerType ?? (type === "pipe" ? sides[side] : undefined);
  if (inner) return opened(inner, input, side);
  if (discriminator === undefined) return shape;
  const kind = memberOf(input, discriminator);
  const fitting = options.find((option) => {
    const mark = definition(option).shape?.[discriminator];
    return mark !== undefined && definition(mark).values?.includes(kind);
  });
  return fitting ?? options[0] ?? shape;
}

function memberOf(value: unknown, step: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, step)
    ? (value as Record<PropertyKey, unknown>)[step]
    : undefined;
}

function boundsOf(shape: z.core.$ZodType): { least: number | undefined; most: number | undefined } {
  const checks = (definition(shape).checks ?? []).map(({ _zod }) => _zod.def);
  const least = checks.find(({ check }) => check === "greater_than" || check === "min_length");
  const most = checks.filter(({ check }) => check === "less_than" || check === "max_length");
  return {
    least: least?.value ?? least?.minimum,
    most: most.at(-1)?.value ?? most.at(-1)?.maximum,
  };
}

function range(
  least: number | undefined,
  most: number | undefined,
  before: string,
  after: string,
): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return `${before}from ${least}${after}`;
  if (least === undefined) return `${before}at most ${most}${after}`;
  return `${before}${least} to ${most}${after}`;
}
