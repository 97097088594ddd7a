/** How much harm it does when a stranger reads it: an address of a machine is not yet a person. */
export type Severity = "high" | "medium" | "low";

/** A stretch of text that is about a person, before it is described. */
export interface PersonalStretch {
  readonly rule: string;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
}

/** Looks whether something personal stands around a place; costs a bounded time wherever it is. */
export type Matcher = (text: string, at: number) => PersonalStretch | undefined;

/** Letters, digits and the underscore: what would make a longer word of a number. */
export function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122) ||
    code === 95
  );
}

export function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

export function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at) | 32;
  return code >= 97 && code <= 122;
}

export function isCapitalAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 65 && code <= 90;
}

/** Whether a number starts here, and not in the middle of a longer one: `3.4111`, `x-1-4111`. */
export function startsNumber(text: string, at: number): boolean {
  if (isWordAt(text, at - 1)) return false;
  const before = text[at - 1];
  return !((before === "." || before === "-") && isWordAt(text, at - 2));
}

/** What a sticky pattern matches at a place. */
export function matchOf(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Digits alone; what people put between them for reading is dropped. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** Numbers that are typed, not issued: one digit over and over, or a ladder of them. */
export function isTyped(digits: string): boolean {
  return /(\d)\1{6}/.test(digits) || /1234567|7654321|2345678|9876543/.test(digits);
}
