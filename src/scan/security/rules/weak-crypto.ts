import type { Expression } from "../program.ts";
import { type Call, type CallRule, optionOf } from "../rule.ts";

const SECRET =
  /passw|passphrase|token|secret|signature|sign\b|hmac|session|csrf|nonce|salt|apikey|api_key|otp|reset|auth|credential/i;
const WEAK_HASH = /^(?:md4|md5|sha1|sha-1|ripemd|rmd160)$/i;
const WEAK_CIPHER = /^(?:des|rc4|rc2|bf|blowfish)|-ecb$|^des-|^aes-?\d*-ecb/i;

const firstText = (call: Call) => call.args[0]?.text ?? "";

/** Names in the call and around it that say what it is for. */
const purpose = (call: Call) =>
  [
    call.around,
    ...call.written.map((one) =>
      one.kind === "name" ? one.name : one.kind === "member" ? one.property : "",
    ),
  ].join(" ");

export const WEAK_HASHING: CallRule = {
  category: "weak-crypto",
  title: "Weak hash for something secret",
  harm: "Collisions or the original value can be computed with modest means.",
  fix: "Use scrypt, bcrypt or argon2 for passwords, and SHA-256 or better with HMAC for signatures.",
  judge: (call) => {
    const isNode =
      /^crypto\.(?:createHash|createHmac)$/.test(call.api) && WEAK_HASH.test(firstText(call));
    const isPython =
      /^hashlib\.(?:md5|sha1)$/.test(call.api) ||
      (call.api === "hashlib.new" && WEAK_HASH.test(firstText(call)));
    const isOther =
      /^(?:md5|sha1|MD5|SHA1|crypto-js\.(?:MD5|SHA1))$/.test(call.api) && call.args.length > 0;
    if (!isNode && !isPython && !isOther) return undefined;
    return SECRET.test(purpose(call)) ? "P2" : "P3";
  },
};

export const WEAK_CIPHERS: CallRule = {
  category: "weak-crypto",
  title: "Weak or wrongly used cipher",
  harm: "The cipher text gives away what it should hide.",
  fix: "Use createCipheriv with aes-256-gcm and a fresh random iv for every message.",
  judge: (call) => {
    if (/^crypto\.create(?:Cipher|Decipher)$/.test(call.api)) return "P2";
    if (/^crypto\.create(?:Cipher|Decipher)iv$/.test(call.api)) {
      if (WEAK_CIPHER.test(firstText(call))) return "P2";
      return isConstantIv(call) ? "P2" : undefined;
    }
    const isPython = /(?:^|\.)(?:DES3?|ARC4|ARC2|Blowfish)\.new$/.test(call.api);
    const isEcb =
      /\.new$/.test(call.api) &&
      call.written.some((one) => one.kind === "member" && one.property === "MODE_ECB");
    return isPython || isEcb ? "P2" : undefined;
  },
};

/** An iv that is written in the code is the same for every message. */
function isConstantIv({ api, args, written }: Call): boolean {
  const iv = args[2];
  if (!api.endsWith("createCipheriv") || iv === undefined || iv.flows.length > 0) return false;
  if (written[2]?.kind === "constant") return false;
  if (iv.text !== undefined && iv.text !== "" && iv.text !== "null")
    return !iv.text.includes("\u0000");
  return iv.api === "constant-bytes";
}

const ITERATIONS_LEAST = 1_000;

/** Few rounds make it cheap to try all passwords of a list. */
export const WEAK_DERIVATION: CallRule = {
  category: "weak-crypto",
  title: "Key derived from a password in too few rounds",
  harm: "Passwords can be tried at the speed of a plain hash.",
  fix: "Use scrypt or argon2, or PBKDF2 with SHA-256 and several hundred thousand rounds.",
  judge: (call) => {
    const isNode = /^crypto\.pbkdf2(?:Sync)?$/.test(call.api);
    const isConfigured = ["hasher", "keySize", "salt", "digest"].some(
      (name) => optionOf(call, name) !== undefined,
    );
    const rounds = isNode
      ? call.written[2]
      : isConfigured
        ? optionOf(call, "iterations")
        : undefined;
    if (rounds?.kind !== "constant" || !/^\d/.test(rounds.value)) return undefined;
    return Number(rounds.value.replaceAll("_", "")) < ITERATIONS_LEAST ? "P2" : undefined;
  },
};

/** What is said of `randomBytes(1)[0] % count`. */
export const BIASED_RANDOM: CallRule = {
  category: "weak-crypto",
  title: "Random numbers of which some come more often",
  harm: "The rest of a random byte favours the first numbers, so that what is made of it is easier to guess.",
  fix: "Use crypto.randomInt, or throw away the bytes above the last whole multiple.",
  judge: () => undefined,
};

/** Whether the rest of a random byte is taken; a power of two favours none. */
export function isBiased(expression: Expression): boolean {
  if (expression.kind !== "arithmetic" || !expression.rest) return false;
  const [byte, count] = expression.parts;
  if (byte?.kind !== "element" || byte.object.kind !== "call" || count === undefined) return false;
  const { callee } = byte.object;
  const name =
    callee.kind === "member" ? callee.property : callee.kind === "name" ? callee.name : "";
  const isEven = count.kind === "constant" && Number.isInteger(Math.log2(Number(count.value)));
  return /^(?:randomBytes|getRandomValues)$/.test(name) && !isEven;
}

const RANDOM =
  /^(?:Math\.random|crypto\.pseudoRandomBytes|random\.(?:random|randint|choice|choices|randrange|sample|getrandbits))$/;

/** Words by which a file shows that it is about secrets, or about ids that nobody may guess. */
export const SECRET_WORD = /crypto|uuid|guid|passw|secret|csrf|nonce|rsa|boundary|session_?id/i;

/** What random numbers are made for where they must not be guessed, by the names around. */
const UNGUESSABLE =
  /uuid|guid|rng|boundary|seed|entropy|generate_?id|(?:make|create|new)_?id\b|unique_?id|rand(?:om)?_?(?:string|bytes|id|token|key|hex|chars|atic)/i;
/** Waiting, choosing and drawing need no secrets. */
const HARMLESS_USE =
  /jitter|delay|backoff|retry|timeout|interval|shuffle|sample|colou?r|animat|pick|noise|shard|bench|mock|test/i;

export const WEAK_RANDOM: CallRule = {
  category: "weak-crypto",
  title: "Predictable random numbers for something secret",
  harm: "Whoever has seen a few of these numbers can compute the others.",
  fix: "Use crypto.randomBytes or crypto.randomUUID; in Python the secrets module.",
  judge: (call) => {
    if (!RANDOM.test(call.api)) return undefined;
    // Where nothing better is to be had, it is said once, as advice.
    if (/\bfallback\b/.test(call.around)) return "P3";
    if (SECRET.test(call.around)) return "P2";
    if (HARMLESS_USE.test(call.around)) return undefined;
    return call.inSecretFile || UNGUESSABLE.test(call.around) ? "P2" : undefined;
  },
};
