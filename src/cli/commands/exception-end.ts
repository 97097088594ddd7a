import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { endException } from "../../flow/exception/record-exception.ts";
import { findExceptions } from "../../flow/exception/standing-exceptions.ts";
import { Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({
  exception: z.string().min(1).max(64),
  why: Text.max(2_000),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const fitting = (await findExceptions(place)).flatMap(({ trace, exception }) =>
    exception?.id.startsWith(args.exception) ? [{ trace, ...exception }] : [],
  );
  const [only] = fitting;
  if (only === undefined || fitting.length > 1) {
    const found = only === undefined ? "there is none" : `${fitting.length} begin like that`;
    throw new SwornError(
      "NOT_FOUND",
      `no single exception "${args.exception}": ${found}; see "sworn exception ls"`,
    );
  }
  await endException(place, only, args.why);
  const { id, rule, trace } = only;
  return {
    exit: 0,
    json: { id, rule, trace, ended: true },
    words: `Exception ${id} from ${rule} has ended; the way back: ${only.rollback}`,
  };
}
