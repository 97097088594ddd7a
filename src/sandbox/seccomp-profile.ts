import { type ArgumentTest, SECCOMP_RULES, type SeccompRule } from "./seccomp.ts";

/** The same rules in the form that Docker and podman take. */
export function seccompProfile(rules: readonly SeccompRule[] = SECCOMP_RULES): object {
  const conditional = rules.filter(({ answer }) => answer === "allow");
  const restricted = new Set(conditional.map(({ call }) => call));
  return {
    defaultAction: "SCMP_ACT_ALLOW",
    architectures: ["SCMP_ARCH_X86_64"],
    syscalls: rules.flatMap((rule) => entriesOf(rule, rules, restricted)),
  };
}

/**
 * These engines know no order among rules: "only these" becomes one refusal for each value that
 * none of the allowed ones has, and one for each further condition of an allowed one that fails.
 */
function entriesOf(
  { call, when, answer }: SeccompRule,
  rules: readonly SeccompRule[],
  restricted: ReadonlySet<string>,
): object[] {
  if (answer === "allow") return [];
  const refuse = { names: [call], action: "SCMP_ACT_ERRNO", errnoRet: answer };
  if (!restricted.has(call)) return [{ ...refuse, args: when.map(argOf) }];
  const allowed = rules.filter((one) => one.call === call && one.answer === "allow");
  const others = valuesBeside(allowed.map((one) => one.when[0]?.equals ?? 0));
  return [...others, ...allowed.flatMap(({ when: tests }) => halfFitting(tests))].map((args) => ({
    ...refuse,
    args,
  }));
}

function argOf({ argument, mask, equals }: ArgumentTest): object {
  return { index: argument, value: mask, valueTwo: equals, op: "SCMP_CMP_MASKED_EQ" };
}

/** Each value by itself, because one rule may look at an argument only once. */
function valuesBeside(values: readonly number[]): object[][] {
  const last = Math.max(...values);
  const between = Array.from({ length: last }, (_, value) => value);
  const missing = between.filter((value) => !values.includes(value));
  return [
    ...missing.map((value) => [{ index: 0, value, op: "SCMP_CMP_EQ" }]),
    [{ index: 0, value: last, op: "SCMP_CMP_GT" }],
  ];
}

/** The first condition fits and a later one does not. */
function halfFitting([first, ...later]: readonly ArgumentTest[]): object[][] {
  if (first === undefined) return [];
  return later.map(({ argument, equals }) => [
    { index: first.argument, value: first.equals, op: "SCMP_CMP_EQ" },
    { index: argument, value: equals, op: "SCMP_CMP_NE" },
  ]);
}
