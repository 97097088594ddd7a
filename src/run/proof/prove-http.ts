import { fail, pass, quoted, unproven } from "./outcome.ts";
import { probeService } from "./probe-service.ts";
import type { Prove } from "./scene.ts";

/** A service of the project starts and answers as it should. */
export const proveHttp: Prove<"http"> = async (proof, scene) => {
  const { port, path, status, body, seconds } = proof;
  const answer = await probeService(proof, scene);
  if (typeof answer === "string") return unproven(proof, answer);
  const where = `port ${port} at ${quoted(path)}`;
  if (!answer.started) {
    const end = answer.exit === undefined ? "" : `; the service ended with ${answer.exit}`;
    const what = `expected ${status} from ${where} within ${seconds} s, found no answer`;
    return fail(proof, `${what}: ${answer.why}${end}`, answer.printed);
  }
  const output = `${answer.body}\n${answer.printed}`;
  if (answer.status !== status) {
    return fail(proof, `expected ${status} from ${where}, found ${answer.status}`, output);
  }
  if (body !== undefined && !answer.body.includes(body)) {
    return fail(proof, `expected ${quoted(body)} in the answer of ${where}, found it not`, output);
  }
  return pass(proof, `${where} answered ${status}`, output);
};
