// How long one admission takes, against Cedar alone with the same policies and the same request.
import { readdirSync, readFileSync } from "node:fs";
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import { admit } from "../dist/admit/index.js";
import { requestOf } from "../dist/admit/request-of.js";
import { nothingWaived } from "../dist/admit/waived.js";
import { loadPolicies } from "../dist/policy/index.js";
import { alternate, compare, runAlone, timed } from "./measure.mjs";

const FOLDER = new URL("../policies/", import.meta.url);
const DECISIONS = 500;

export async function measure({ rounds = "15" }) {
  const facts = JSON.parse(readFileSync(new URL("cases.json", FOLDER), "utf8")).start;
  const refused = { ...facts, network: "bridge", argv: ["sh", "-c", "npm test && git push"] };
  const policies = await loadPolicies();
  const [bareAllowed, bareRefused] = [bare(facts), bare(refused)];
  const times = await alternate(
    {
      bareAllowed: () => timed(() => repeat(bareAllowed)),
      allowed: () => timed(() => repeat(() => decide(policies, facts, "allow"))),
      bareRefused: () => timed(() => repeat(bareRefused)),
      refused: () => timed(() => repeat(() => decide(policies, refused, "deny"))),
    },
    { rounds: Number(rounds), warmUp: 3 },
  );
  const row = { unit: "µs", per: DECISIONS, most: 1.5 };
  return [
    compare({
      name: "admission, allowed / statefulIsAuthorized",
      ours: times.allowed,
      bare: times.bareAllowed,
      ...row,
    }),
    compare({
      name: "admission, denied / statefulIsAuthorized",
      ours: times.refused,
      bare: times.bareRefused,
      ...row,
    }),
  ];
}

async function decide(policies, facts, expected) {
  const { decision } = await admit(facts, policies, [], () => 0);
  if (decision !== expected) throw new Error(`expected ${expected}, found ${decision}`);
}

/** The call that whoever uses Cedar by itself would make, everything prepared beforehand. */
function bare(facts) {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".cedar"));
  const read = (name) => readFileSync(new URL(name, FOLDER), "utf8");
  cedar.preparseSchema("bench", read("sworn.cedarschema"));
  cedar.preparsePolicySet("bench", { staticPolicies: files.map(read).join("\n") });
  const { requester, moment, task, context } = requestOf(facts, nothingWaived());
  const call = {
    principal: { type: "Sworn::Requester", id: requester },
    action: { type: "Sworn::Action", id: moment },
    resource: { type: "Sworn::Task", id: task },
    context,
    preparsedSchemaName: "bench",
    validateRequest: true,
    preparsedPolicySetId: "bench",
    entities: [],
  };
  return () => cedar.statefulIsAuthorized(call);
}

async function repeat(run) {
  for (let index = 0; index < DECISIONS; index += 1) await run();
}

await runAlone(import.meta.url, measure);
