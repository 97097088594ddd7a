/**
 * Runs vectors that others published: `npm run test:vectors -- <folder>`.
 *
 * The folder holds `ed25519/wycheproof-ed25519.json` (Wycheproof) and `jcs/{input,output,outhex}`
 * (the canonical JSON cases of RFC 8785's author). They are not part of this repository.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalize } from "../../dist/base/canonical.js";
import { isSignedBy, toPublicKey } from "../../dist/base/signature.js";

function signatureCases(folder) {
  const path = join(folder, "ed25519", "wycheproof-ed25519.json");
  const { testGroups } = JSON.parse(readFileSync(path, "utf8"));
  return testGroups.flatMap(({ publicKey, tests }) =>
    tests.map(({ tcId, msg, sig, result, comment }) => ({
      name: `ed25519 ${tcId} (${comment || result})`,
      isRight: isAccepted(publicKey.pk, msg, sig) === isExpected(result),
    })),
  );
}

/** The corpus also knows "acceptable"; Ed25519 has none, and a new word must not pass unseen. */
function isExpected(result) {
  if (result !== "valid" && result !== "invalid") throw new Error(`unknown result "${result}"`);
  return result === "valid";
}

function isAccepted(publicHex, messageHex, signatureHex) {
  try {
    const key = toPublicKey(Buffer.from(publicHex, "hex").toString("base64"));
    return isSignedBy(key, Buffer.from(messageHex, "hex"), Buffer.from(signatureHex, "hex"));
  } catch (error) {
    if (error.code === "KEY_UNUSABLE") return false;
    throw error;
  }
}

function canonicalCases(folder) {
  const path = (kind, file) => join(folder, "jcs", kind, file);
  return readdirSync(join(folder, "jcs", "input")).map((file) => {
    const found = Buffer.from(canonicalize(JSON.parse(readFileSync(path("input", file), "utf8"))));
    const hex = readFileSync(path("outhex", file.replace(/\.json$/, ".txt")), "utf8");
    const isRight =
      found.equals(readFileSync(path("output", file))) &&
      found.equals(Buffer.from(hex.replace(/\s/g, ""), "hex"));
    return { name: `jcs ${file}`, isRight };
  });
}

function main(folder) {
  if (folder === undefined || !existsSync(folder)) {
    console.log(`there is no folder ${folder ?? "given"}: npm run test:vectors -- <folder>`);
    console.log("0 passed, 1 failed");
    return 1;
  }
  let [passed, failed] = [0, 0];
  for (const [title, casesOf] of [
    ["Wycheproof Ed25519", signatureCases],
    ["canonical JSON", canonicalCases],
  ]) {
    const wrong = [];
    let count = 0;
    try {
      const cases = casesOf(folder);
      count = cases.length;
      wrong.push(...cases.filter(({ isRight }) => !isRight).map(({ name }) => name));
    } catch (error) {
      wrong.push(error.message);
    }
    // No cases is a wrong folder, not a success.
    if (count === 0 && wrong.length === 0) wrong.push("no cases found");
    console.log(`${title}: ${count} cases, ${wrong.length} wrong`);
    for (const name of wrong) console.log(`  ${name}`);
    passed += Math.max(0, count - wrong.length);
    failed += wrong.length;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2]);
