import * as z from "zod";
import { REQUESTER, recordException } from "../../flow/exception/record-exception.ts";
import { RuleId } from "../../schema/admission.ts";
import { Name, Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

const Words = Text.max(2_000);
/** A day ends before it begins elsewhere; so it is the beginning of the day, everywhere the same. */
const Moment = z
  .string()
  .transform((given) => (/^\d{4}-\d{2}-\d{2}$/.test(given) ? `${given}T00:00:00.000Z` : given))
  .pipe(z.iso.datetime({ error: "expected a day such as 2027-06-30, or a moment in UTC" }));

export const Arguments = z.strictObject({
  rule: RuleId,
  task: z.array(Name).min(1).max(100),
  name: z.array(Text.max(4_096)).max(1_000).default([]),
  reason: Words,
  owner: Name,
  requester: Name.default(REQUESTER),
  approver: Name,
  until: Moment,
  rollback: Words,
  "secret-review": Name.optional(),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const { rule, task, name, reason, owner, requester, approver, until, rollback } = args;
  const { id, trace } = await recordException(await openRunPlace(io), {
    rule,
    reason,
    owner,
    requester,
    approver,
    expires_at: until,
    rollback,
    scope: { tasks: task, names: name },
    secret_review: args["secret-review"] ?? null,
  });
  return {
    exit: 0,
    json: { id, rule, tasks: task, approver, expires_at: until, trace },
    words: [
      `Exception ${id} from ${rule}, for ${task.join(", ")}, approved by ${approver}, until ${until}.`,
      `Runs use it with "sworn exec --task ${task[0]}"; "sworn exception end ${id} --why …" ends it.`,
      `trace ${trace}`,
    ].join("\n"),
  };
}
