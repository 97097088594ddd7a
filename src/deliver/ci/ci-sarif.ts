import type { CiReport, CiWeakened } from "../../schema/ci-report.ts";
import { fileUri } from "../file-uri.ts";
import { SARIF_SCHEMA } from "../sarif.ts";
import { sarifMessage } from "../sarif-result.ts";
import { ciVerdict } from "./ci-rows.ts";

const RULES = ["check", "weakened-test", "claim"] as const;
type Rule = (typeof RULES)[number];

/**
 * What is wrong with a pull request as a SARIF 2.1.0 log: checks that do not pass, weakened tests, refuted
 * claims. A report without a declared check says that it did not succeed: its empty list is no clean one.
 */
export function renderCiSarif(report: CiReport): object {
  const { status, checks, weakened, claims, notes } = report;
  const results = [
    ...checks
      .filter((one) => one.status !== "pass")
      .map(({ name, status: how, shows }) =>
        result("check", how === "fail" ? "error" : "warning", `${name}: ${shows}`),
      ),
    ...weakened.map((one) => ({
      ...result("weakened-test", one.severity === "note" ? "note" : "warning", one.message),
      ...placeOf(one),
    })),
    ...claims
      .filter(({ verdict }) => verdict === "refuted")
      .map(({ text, why }) => result("claim", "error", `"${text}": ${why}`)),
  ];
  const said = [ciVerdict(report), ...notes];
  return {
    $schema: SARIF_SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "Sworn", rules: RULES.map((id) => ({ id })) } },
        automationDetails: { id: "sworn/ci/" },
        invocations: [
          {
            executionSuccessful: status !== "undeclared",
            exitCodeDescription: status,
            toolExecutionNotifications: said.map((text) => ({ message: sarifMessage(text) })),
          },
        ],
        originalUriBaseIds: { SRCROOT: { description: { text: "The root of the repository." } } },
        results,
      },
    ],
  };
}

function result(ruleId: Rule, level: "error" | "warning" | "note", text: string) {
  return { ruleId, ruleIndex: RULES.indexOf(ruleId), level, message: sarifMessage(text) };
}

/** A line of before is none of the files that a reader has. */
function placeOf({ path, line, side }: CiWeakened): object {
  const uri = fileUri(path);
  if (uri === undefined) return {};
  const region = line === null || side === "before" ? {} : { region: { startLine: line } };
  const physicalLocation = { artifactLocation: { uri, uriBaseId: "SRCROOT" }, ...region };
  return { locations: [{ physicalLocation }] };
}
