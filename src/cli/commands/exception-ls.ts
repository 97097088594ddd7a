import * as z from "zod";
import { type FoundException, findExceptions } from "../../flow/exception/standing-exceptions.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";
import { table } from "../table.ts";

export const Arguments = z.strictObject({});

export async function run(_: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const found = await findExceptions(place);
  const all = found.map((one) => ({ ...one, status: statusOf(one, place.clock()) }));
  const rows = all.flatMap(({ exception, status }) => {
    if (exception === undefined) return [];
    const { id, rule, scope, expires_at, approver, owner } = exception;
    return [[id, rule, scope.tasks.join(","), status, expires_at, approver, owner]];
  });
  const broken = all.filter(({ why }) => why !== undefined);
  const words = [
    rows.length === 0
      ? "no exceptions"
      : table(
          ["EXCEPTION", "RULE", "TASKS", "STATUS", "UNTIL", "APPROVER", "OWNER"],
          rows,
          io.columns,
        ),
    ...broken.map(({ trace, why }) => `the exception of ${trace} does not count: ${why}`),
  ];
  return {
    exit: broken.length === 0 ? 0 : 4,
    json: {
      exceptions: all.map(({ trace, exception, status, why }) => ({
        trace,
        status,
        ...(exception ?? {}),
        ...(why === undefined ? {} : { why }),
      })),
    },
    words: words.join("\n"),
    isAnswered: true,
  };
}

function statusOf({ exception, isEnded, why }: FoundException, nowMs: number): string {
  if (why !== undefined || exception === undefined) return "void";
  if (isEnded) return "ended";
  return nowMs < Date.parse(exception.expires_at) ? "stands" : "expired";
}
