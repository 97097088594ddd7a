/** Words that people put where a secret will stand one day. */
const STAND_IN =
  /example|change.?me|placeholder|dummy|sample|redacted|replace|insert|your[-_ ]?|<your|todo|x{4}|\*{3}|\.{3}|fake|mock(?:ed)?[-_]|lorem|foobar|not.?a.?(?:real|secret)|invalid|deadbeef|do.?not.?use|1234567|abcdefg|qwerty|0{8}|1{8}|a{8}|my[-_]?(?:super[-_]?)?(?:secret|token|password|api[-_]?key)/i;

/** Values that are looked up elsewhere: the secret itself is not in the file. */
const REFERENCE =
  /\$\{|\$\(|\{\{|\}\}|<[^>]{0,80}>|%\(|#\{|<%|^\$[A-Za-z_]|^%\w{1,60}%$|^@@?|^\{[\w.-]{0,60}\}$|process\.env|os\.environ|import\.meta|getenv|^env[.:(]|^ENC\[|^vaul[t]:|^secret:|^op:\/\/|^arn:|^ref\+|^!|^data:|^kms:|^ssm:|^file:|^keyring:|secrets\./;

/** Values that the standards for OAuth print and everybody copies. */
const PRINTED =
  /^(?:2YotnFZFEjr1zCsicMWpAA|tGzv3JOkF0XG5Qx2TlKWIA|7Fjfp0ZBr1KtDRbnfVdmIw|gX1fBat3bV|mF_9\.B5f-4\.1JqM)$/;

/** So many neighbours in a row, up or down, are typed and not drawn: `abcdefgh`, `87654321`. */
const LADDER_MIN = 8;

/** Whether a value stands for a secret instead of being one. */
export function isPlaceholder(value: string): boolean {
  return STAND_IN.test(value) || REFERENCE.test(value) || PRINTED.test(value) || hasLadder(value);
}

function hasLadder(value: string): boolean {
  let [up, down] = [1, 1];
  for (let at = 1; at < value.length; at += 1) {
    const step = value.charCodeAt(at) - value.charCodeAt(at - 1);
    up = step === 1 ? up + 1 : 1;
    down = step === -1 ? down + 1 : 1;
    if (up >= LADDER_MIN || down >= LADDER_MIN) return true;
  }
  return false;
}
