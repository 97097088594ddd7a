import { expect, test } from "vitest";
import { scanSecrets } from "../../../src/scan/secret/index.ts";
import { drawn, HEX, joined, UPPER } from "./tokens.ts";

/** A variable that a shell or a template puts in. */
const variable = (name: string): string => joined("$", "{", name, "}");

/** Text that looks like a secret to a careless reader and is none. */
const ORDINARY: readonly string[] = [
  'password = "changeme"',
  'password: "password"',
  'password = "your-password-here"',
  'password = "<password>"',
  'const password = "********";',
  `PASSWORD="${variable("DB_PASSWORD")}"`,
  `PASSWORD=${variable("DB_PASSWORD")}`,
  "DB_PASSWORD=$DB_PASSWORD",
  'password: "{{ vault_password }}"',
  "password: process.env.PASSWORD,",
  'password: process.env["DB_PASSWORD"],',
  'password = os.environ["DB_PASSWORD"]',
  "password = getPassword(user)",
  "password: string;",
  "password?: string | undefined",
  'passwordField: "input-password-2"',
  'passwordPlaceholder: "Enter8Characters!"',
  'label: "Password", name: "user_password_1"',
  'password_hash = "$2b$12$KIXQ4V1aXyQ9eZ1n0Qy8xOa7p"',
  "if (password === confirmation1) return;",
  'argon2("password", "salt1234")',
  'token = "example-token-1234"',
  'token: "xxxxxxxxxxxxxxxxxxxx"',
  'const token = "abcdefghijklmnop";',
  'tokenType: "urn:ietf:params:oauth:token-type:jwt"',
  'token_url = "https://auth.internal/oauth2/token"',
  'tokenizer: "gpt2-bpe-50257"',
  'token: "Identifier"',
  'TOKEN = "BEARER_TOKEN_V2"',
  'const accessTokenKey = "auth.access_token.v1"',
  'secretName: "my-app-tls-2031"',
  'secretRef = "projects/app/secrets/db/versions/3"',
  'secret: "arn:aws:secretsmanager:eu-west-1:123:secret:x"',
  'client_secret: "YOUR_CLIENT_SECRET_1"',
  "client_secret: ENC[AES256_GCM,data:abc123def456]",
  'api_key = "INSERT-API-KEY-HERE-1"',
  'api_key: "op://vault/item/api_key1"',
  "apiKey: import.meta.env.VITE_API_KEY1,",
  "api_key: !vault encrypted123value456",
  'apiKeyHeader = "X-Api-Key-V2"',
  'credentials: "same-origin"',
  'credential_file = "./config/credentials-v2.json"',
  'secretKeyRef: { name: "db", key: "password1" }',
  'private_key_path = "/etc/ssl/private/server1.key"',
  'privateKey: "keys/server-2031.pem"',
  "public_token = 'a8Fk2LqP0zXv7RtY'",
  joined("AK", "IA", "IOSFODNN7", "EXAMPLE"),
  joined("AK", "IA", drawn(12, UPPER)),
  `SLOV${joined("AK", "IA", drawn(16, UPPER))}`,
  joined("gh", "p_", "x".repeat(36)),
  joined("gh", "p_", drawn(20)),
  joined("sk_", "live_", "abc"),
  joined("AI", "za", "example"),
  joined("s", "k-", "learn-based-pipelines-for-everything-you-need-today"),
  "the disk-image-of-the-old-machine-that-nobody-wants-to-keep-around",
  joined("np", "m_", "config_registry_and_other_settings_x"),
  `//npm.pkg.internal/:_authToken=${variable("NPM_TOKEN")}`,
  joined("postgres", "://user:password@localhost:5432/app"),
  joined("postgres", "://postgres:postgres@db/app"),
  joined("postgres", "://user:", variable("PASSWORD"), "@host/app"),
  joined("mysql", "://root:<password>@localhost"),
  "https://example.com:8080/path@v1.2.3",
  "https://cdn.internal/npm/@scope/package@1.2.3/file.js:10:2",
  "git@github.com:owner/repository.git",
  joined("-----BEG", "IN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END"),
  joined("-----BEG", "IN PRIVATE ", "KEY-----\n...\n-----END"),
  joined("if (text.includes('-----BEG", "IN PRIVATE ", "KEY-----')) return true;"),
  joined("-----BEG", "IN CERTIFICATE-----\n", drawn(64), "\n"),
  "Authorization: Basic dXNlcjpwYXNzd29yZA==",
  'headers: { Authorization: "Bearer " + token }',
  "Authorization: Bearer <token>",
  `Authorization: Bearer ${variable("accessToken1234567890")}`,
  "Basic authentication is described elsewhere in this long document",
  "a bearer of extraordinarilylongwordswithoutanynumbers came",
  joined(
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.",
    "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.",
    "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV",
  ),
  "const header = 'eyJhbGciOiJIUzI1NiJ9';",
  `integrity: "sha512-${drawn(86)}=="`,
  `const commit = "${drawn(40, HEX)}";`,
  `data:image/png;base64,${drawn(400)}`,
  `id: "${drawn(8, HEX)}-${drawn(4, HEX)}-4${drawn(3, HEX)}-a${drawn(3, HEX)}-${drawn(12, HEX)}"`,
];

test("the list is long enough to mean something", () => {
  expect(ORDINARY.length).toBeGreaterThanOrEqual(60);
});

test.each(ORDINARY.map((text, at) => ({ text, at })))(
  "ordinary text $at is left alone: $text",
  ({ text }) => {
    expect(scanSecrets(text)).toEqual([]);
    expect(scanSecrets(`before\n${text}\nafter\n`)).toEqual([]);
  },
);
