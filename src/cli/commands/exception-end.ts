import * as z from "zod";
import { SwornError } from "../../base/index.ts";
import { endException } from "../../flow/exception/record-exception.ts";
import { findExceptions } from "../../flow/exception/standing-exceptions.ts";
import { namesMeant, severalMeant } from "../../flow/words/names-meant.ts";
import { Text } from "../../schema/index.ts";
import type { Answer, Io } from "../io.ts";
import { openRunPlace } from "../run-place.ts";

export const Arguments = z.strictObject({
  exception: z.string().min(1).max(64),
  why: Text.max(2_000),
});

export async function run(args: z.infer<typeof Arguments>, io: Io): Promise<Answer> {
  const place = await openRunPlace(io);
  const all = (await findExceptions(place)).flatMap(({ trace, exception }) =>
    exception === undefined ? [] : [{ trace, ...exception }],
  );
  const ids = namesMeant(
    args.exception,
    all.map((one) => one.id),
  );
  const only = ids.length === 1 ? all.find((one) => one.id === ids[0]) : undefined;
  if (only === undefined) {
    const found =
      ids.length === 0
        ? `there is no exception ${JSON.stringify(args.exception)}`
        : severalMeant("exceptions", args.exception, ids);
    throw new SwornError("NOT_FOUND", `${found}; see "sworn exception ls"`);
  }
  await endException(place, only, args.why);
  const { id, rule, trace } = only;
  return {
    exit: 0,
    json: { id, rule, trace, ended: true },
    words: `Exception ${id} from ${rule} has ended; the way back: ${only.rollback}`,
  };
}
