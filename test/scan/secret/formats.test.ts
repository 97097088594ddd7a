import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import {
  ALNUM,
  BASE64,
  drawn,
  githubToken,
  HEX,
  joined,
  jwt,
  privateKey,
  UPPER,
} from "./tokens.ts";

const BECH = "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L";
const word = (length: number): string => drawn(length, `${ALNUM}-_`);
const mixed = drawn(24);

/** The rule that must find it, and the text it stands in. */
const SECRETS: readonly (readonly [string, string])[] = [
  ["aws-access-key-id", `key = ${joined("AK", "IA", drawn(16, UPPER))}`],
  ["aws-access-key-id", `"${joined("AS", "IA", drawn(16, UPPER))}"`],
  ["aws-secret-access-key", `aws_secret_access_key = ${drawn(40, BASE64)}`],
  ["aws-secret-access-key", `AWS_SECRET_ACCESS_KEY=${drawn(40, BASE64)}`],
  ["aws-secret-access-key", `secretAccessKey: "${drawn(40, BASE64)}"`],
  ["github-token", `const t = "${githubToken()}";`],
  ["github-token", joined("gh", "o_", drawn(36))],
  ["github-token", joined("gh", "s_", drawn(36))],
  ["github-fine-grained-token", joined("github", "_pat_", drawn(22), "_", drawn(59))],
  ["gitlab-token", `TOKEN: ${joined("gl", "pat-", word(20))}`],
  ["slack-token", joined("xo", "xb-", "2304985671-", "9823740156-", drawn(24))],
  ["slack-token", joined("xo", "xp-", drawn(50))],
  ["slack-app-token", joined("xa", "pp-1-", drawn(11, UPPER), "-9182736450192-", drawn(64, HEX))],
  [
    "slack-webhook",
    joined(
      "https://hooks.sl",
      "ack.com/services/",
      "T0",
      drawn(8, UPPER),
      "/B0",
      drawn(8, UPPER),
      "/",
      drawn(24),
    ),
  ],
  ["stripe-live-key", joined("sk_", "live_", drawn(24))],
  ["stripe-live-key", joined("rk_", "live_", drawn(99))],
  ["stripe-test-key", joined("sk_", "test_", drawn(24))],
  ["stripe-webhook-secret", joined("wh", "sec_", drawn(32))],
  ["google-api-key", joined("AI", "za", word(35))],
  ["google-client-secret", joined("GOC", "SPX-", word(28))],
  ["google-oauth-token", joined("ya", "29.", word(80))],
  ["google-service-account", `{"private_key": ${JSON.stringify(privateKey())}}`],
  ["npm-token", joined("np", "m_", drawn(36))],
  ["npmrc-token", `//npm.pkg.internal/:_authToken=${drawn(36)}`],
  ["pypi-token", joined("py", "pi-AgE", "IcHlwaS5vcmc", word(60))],
  ["openai-key", joined("s", "k-", drawn(20), "T3Blb", "kFJ", drawn(20))],
  ["openai-key", joined("s", "k-proj-", word(120))],
  ["anthropic-key", joined("s", "k-ant-api03-", word(93))],
  ["sendgrid-key", joined("S", "G.", word(22), ".", word(43))],
  ["twilio-api-key", joined("S", "K", drawn(32, HEX))],
  ["twilio-auth-token", `twilio_auth_token = "${drawn(32, HEX)}"`],
  ["mailgun-key", joined("ke", "y-", drawn(32, HEX))],
  [
    "azure-account-key",
    joined(
      "DefaultEndpointsProtocol=https;AccountName=shop;Account",
      "Key=",
      drawn(86, BASE64),
      "==;",
    ),
  ],
  [
    "azure-shared-access-key",
    joined("SharedAccessKeyName=send;SharedAccess", "Key=", drawn(43, BASE64), "="),
  ],
  ["jwt", `cookie=${jwt()}`],
  ["private-key", privateKey()],
  ["private-key", privateKey("RSA ")],
  ["private-key", privateKey("OPENSSH ")],
  ["private-key", privateKey("EC ").replaceAll("\n", "\\n")],
  ["private-key", privateKey("ENCRYPTED ")],
  [
    "putty-private-key",
    joined("Private-", "Lines: 2\n", drawn(64, BASE64), "\n", drawn(40, BASE64), "\n"),
  ],
  ["age-secret-key", joined("AGE-SEC", "RET-KEY-1", drawn(58, BECH))],
  ["digitalocean-token", joined("dop", "_v1_", drawn(64, HEX))],
  ["huggingface-token", joined("h", "f_", drawn(34))],
  ["databricks-token", joined("da", "pi", drawn(32, HEX))],
  ["shopify-token", joined("shp", "at_", drawn(32, HEX))],
  ["linear-key", joined("lin", "_api_", drawn(40))],
  ["postman-key", joined("PM", "AK-", drawn(24, HEX), "-", drawn(34, HEX))],
  ["grafana-token", joined("gl", "sa_", drawn(32), "_", drawn(8, HEX))],
  ["vault-token", joined("hv", "s.", word(90))],
  ["docker-hub-token", joined("dckr", "_pat_", word(27))],
  ["telegram-bot-token", joined("1849302756", ":A", "A", word(33))],
  ["discord-webhook", joined("https://discord.com/api/web", "hooks/918273645019283746/", word(68))],
  ["supabase-token", joined("sb", "p_", drawn(40, HEX))],
  ["groq-key", joined("gs", "k_", drawn(52))],
  ["database-url", joined("postgres", "://app:", "r7Kq2vLx9", "@db.internal:5432/app")],
  ["database-url", joined("DATABASE_URL=mysql", "://root:", "kT4%9zQpLw", "@10.0.0.3/shop")],
  ["database-url", joined("mongodb+srv", "://svc:", "x8Tr2mQv", "@cluster0.abc.net")],
  ["database-url", joined("redis", "://:", "q7Wm3Zt8Ls", "@cache:6379")],
  ["url-password", joined("https", "://deploy:", "v9Xk2LqT7", "@git.internal/repo.git")],
  [
    "authorization-basic",
    `Authorization: Basic ${Buffer.from("svc:9xKq2LvT7w").toString("base64")}`,
  ],
  ["authorization-bearer", `curl -H "Authorization: Bearer ${drawn(40)}"`],
  ["assigned-password", `password = "${drawn(14)}"`],
  ["assigned-password", `DB_PASSWORD=${drawn(16)}`],
  ["assigned-password", `  passwd: '${joined("Tr0ub4", "dor&3x")}'`],
  ["assigned-password", `const adminPassword: string = "${joined("Winter", "2031!")}";`],
  ["assigned-secret", `client_secret: "${drawn(32)}"`],
  ["assigned-secret", `const API_KEY = '${drawn(32, HEX)}';`],
  ["assigned-secret", `config["api-key"] = "${mixed}"`],
  ["assigned-secret", `"secretToken": "${mixed}",`],
  ["assigned-secret", `SECRET_KEY=${drawn(50)}`],
  ["assigned-secret", `export const jwtSecret = process.env.JWT_SECRET || "${drawn(20)}";`],
  ["assigned-secret", `headers.set("X-Api-Key", "${drawn(30)}")`],
  ["assigned-secret", `:api_key => "${drawn(26)}"`],
  ["assigned-secret", `encryption_key := "${drawn(32, HEX)}"`],
];

test("the list is long enough to mean something", () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(60);
});

test.each(SECRETS.map(([rule, text], at) => ({ rule, text, at })))(
  "secret $at is found by $rule alone",
  ({ rule, text }) => {
    expect(scanSecrets(text).map((hit) => hit.rule)).toEqual([rule]);
  },
);

test.each(SECRETS.map(([rule, text], at) => ({ rule, text, at })))(
  "secret $at ($rule) is found in the middle of a file, at its place",
  ({ rule, text }) => {
    const before = "// first line\nfunction ordinary() {\n  return 42;\n}\n";
    const [hit, ...more] = scanSecrets(`${before}${text}\n// last line\n`);
    expect(more).toEqual([]);
    expect(hit?.rule).toBe(rule);
    expect(hit?.line).toBeGreaterThanOrEqual(5);
  },
);

test("no comment in the text can silence the scan", () => {
  const marks = ["gitleaks:allow", "secretlint-disable", "nosec", "pragma: allowlist secret"];
  for (const mark of marks) {
    const text = `// ${mark}\nconst t = "${githubToken()}"; // ${mark}\n`;
    expect(scanSecrets(text)).toHaveLength(1);
  }
});

test("a hit says where the secret is and never what it is", () => {
  const token = githubToken();
  const [hit] = scanSecrets(`a\nlet t = "${token}";\n`);
  expect(hit).toEqual({
    rule: "github-token",
    line: 2,
    column: 10,
    length: 40,
    preview: "ghp***",
    entropy: expect.any(Number),
  });
  expect(hit?.entropy).toBeGreaterThan(4);
});

test("of a short secret not even the beginning is shown", () => {
  expect(
    scanSecrets(joined("postgres", "://app:", "r7Kq2vLx9", "@db.internal/app"))[0]?.preview,
  ).toBe("***");
});

test("two secrets in one line are two hits", () => {
  const hits = scanSecrets(`${githubToken(1)} ${githubToken(2)}`);
  expect(hits.map(({ column }) => column)).toEqual([1, 42]);
});
