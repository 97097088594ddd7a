import type { AssignmentRule } from "./rule.ts";

/** From the end of the name to the start of the value: `"] = `, `: string = `, ` || `. */
const between = (signs: string): string =>
  `[\\w.-]{0,30}["'\\]]{0,2}(?:\\s{0,5}:\\s{0,5}[A-Za-z]{1,20})?\\s{0,10}(?:=>|:=|\\|\\|=?|\\?\\?=?|={1,3}|:${signs})\\s{0,10}`;
const QUOTED = `(?:["'\`]([^\\s"'\`]{8,200})["'\`])`;
/** Without quotes, as in `.env` and YAML files: to the end of the line, and nothing of a program in it. */
const BARE = `(?:([A-Za-z0-9+/_=.@!#%^&*~-]{8,200})[ \\t]{0,20}(?=[\\r\\n]|$))`;

const assignment = (names: string, moreSigns = ""): RegExp =>
  new RegExp(`(?:${names})${between(moreSigns)}(?:${QUOTED}|${BARE})`, "i");

/** Secrets that only a name gives away. */
export const ASSIGNMENT_RULES: readonly AssignmentRule[] = [
  {
    id: "assigned-password",
    description: "a password",
    regex: assignment("passwords?|passwd|passphrase|pwd"),
    keywords: ["password", "passwd", "passphrase", "pwd", "PASSWORD", "PASSWD"],
    entropy: 2.9,
    priority: "P2",
    words: true,
  },
  {
    id: "assigned-secret",
    description: "a secret, token or key",
    regex: assignment(
      "secret|token|api[_-]?key|apikey|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credentials?",
      // A header's name and value are often two arguments; a password and a salt are, too.
      "|,",
    ),
    keywords: [
      "secret",
      "token",
      "api_key",
      "apikey",
      "api-key",
      "access_key",
      "accesskey",
      "access-key",
      "auth_key",
      "authkey",
      "private_key",
      "privatekey",
      "signing_key",
      "signingkey",
      "encryption_key",
      "encryptionkey",
      "credential",
      "SECRET",
      "TOKEN",
      "API_KEY",
    ],
    entropy: 3.2,
    priority: "P2",
    words: false,
  },
];

/** Names that end so hold something about a secret, not the secret. */
const ABOUT =
  /(?:name|[^a-z]id|Id|url|uri|path|file|dir|field|label|type|kind|header|length|size|count|hash|digest|sha\d{0,3}|checksum|format|pattern|regexp?|prefix|suffix|param|column|placeholder|hint|message|msg|error|title|text|description|expiry|expires|expiration|ttl|policy|version|env|var|arn|ref|selector|class|role|input|mode|index|endpoint|scope|issuer|audience|algorithm|alg|strength|rules?|reset|form|page|screen|route|event|action|address|symbol|contract|limit|budget|usage|s)$/i;
/** What makes another word of the keyword: a tokenizer, a secretary, a public key. */
const OTHER_WORD =
  /tokeni[sz]|secretar|public|csrf_?token_?name|stop_?token|pad_?token|eos_?token|bos_?token|special_?token|next_?page|page_?token_?name/i;

/** A word, or a word with a short number: `oauth2`, `v3`, `sha256`, `Bearer`. */
const WORD = /^(?:[a-z]{1,24}|[A-Z][a-z]{1,24}|[A-Z]{1,24})\d{0,4}$|^\d{1,4}$/;
/** Addresses, files, call chains, dates: values with a form of their own. */
const FORM =
  /:\/\/|^\.{0,2}\/|^[\w-]+\.(?:[a-z]{2,5})$|^\w{1,40}\(|^\d{4}-\d\d-\d\d|^#[0-9a-f]{3,8}$|^[\w.+-]+@[\w-]+\.[\w.]+$|^\w+(?:\.\w+)*\.\w+\(|[()[\];]|^(?:sha\d+|md5|bcrypt|argon2)[-:$]|^\$(?:2[aby]|argon2\w*|scrypt|6|5|1)\$/i;

/** Whether a name and its value are a secret, as far as one can tell without knowing it. */
export function isLikelySecret(
  name: string,
  value: string,
  quoted: boolean,
  words: boolean,
): boolean {
  if (ABOUT.test(name) || OTHER_WORD.test(name) || FORM.test(value)) return false;
  const hasNumberOrSign = /\d|[!@#%^&*~]/.test(value);
  if (!/[A-Za-z]/.test(value) || (!hasNumberOrSign && !isShuffled(value))) return false;
  if (!quoted && (value.length < 12 || /[.]\w{0,40}[.]|^[a-z]+[.]/i.test(value))) return false;
  if (!quoted && !/\d/.test(value)) return false;
  const parts = value.split(/[-_./:@+,=|\\]|(?<=[a-z])(?=[A-Z][a-z])/);
  const isWordy = parts.every((part) => part === "" || WORD.test(part));
  if (!isWordy) return true;
  return words && quoted && parts.length === 1;
}

/** Letters alone: drawn at random they change their case all the time, words in a row do not. */
function isShuffled(value: string): boolean {
  if (value.length < 20) return false;
  let changes = 0;
  for (let at = 1; at < value.length; at += 1) {
    const [before, after] = [value.charCodeAt(at - 1), value.charCodeAt(at)];
    if (before < 97 !== after < 97) changes += 1;
  }
  return changes / value.length > 0.35;
}
