/** The functions of Cedar, as its package has them. */
export type Cedar = typeof import("@cedar-policy/cedar-wasm/nodejs");

let loaded: Promise<Cedar> | undefined;

/** Cedar is four megabytes of machine code: loaded when the first policy is, and never for less. */
export function loadCedar(): Promise<Cedar> {
  loaded ??= import("@cedar-policy/cedar-wasm/nodejs");
  return loaded;
}
