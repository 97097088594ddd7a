import type { Rule } from "./rule.ts";

/** Passwords that every manual uses for a database on one's own machine. */
const HOUSEHOLD =
  /^(?:pass(?:w(?:or)?d)?|pwd?|secret|root|adm[i]n|user(?:name)?|test(?:ing)?|guest|postgres|mysql|mongo|redis|rabbitmq|default|letmein|hunter2?|token|key|foo|bar|baz|p4ss|s3cr3t|p@ss(?:w(?:or)?d)?)[\d!]{0,4}$/i;

/** Secrets that are known by what stands around them. */
export const FORM_RULES: readonly Rule[] = [
  {
    id: "google-service-account",
    description: "a Google service account's private key",
    regex:
      /private_key"\s{0,5}:\s{0,5}"-----BEGIN (?:RSA )?PRIVATE KEY-----(?:\\n|\n)((?:[A-Za-z0-9+/=]|\\n|\n){64,8000})/,
    keywords: ['private_key"'],
    entropy: 4,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "private-key",
    description: "a private key",
    regex:
      /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[\s"'`+,]|\\[nr]){0,80}((?:(?!-----)[A-Za-z0-9+/=:,.\s-]|\\[nr]|["'+]){64,16000})/,
    keywords: ["-----BEGIN "],
    entropy: 3.5,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "putty-private-key",
    description: "a PuTTY private key",
    regex: /Private-Lines: \d{1,4}\r?\n((?:[A-Za-z0-9+/=]{20,80}\r?\n){1,200})/,
    keywords: ["Private-Lines: "],
    entropy: 3.5,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "aws-secret-access-key",
    description: "an AWS secret access key",
    regex:
      /(?:aws[_-]?secret|secret)[_-]?(?:access)?[_-]?key["'\]]{0,2}\s{0,5}(?:=>|:=|=|:|,)\s{0,5}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/i,
    keywords: [
      "aws_secret",
      "aws-secret",
      "awssecret",
      "secret_access",
      "secret-access",
      "secretaccess",
    ],
    entropy: 3.8,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "azure-account-key",
    description: "an Azure storage account key",
    regex: /AccountKey=([A-Za-z0-9+/]{80,90}={0,2})/,
    keywords: ["AccountKey="],
    entropy: 4,
    secretGroup: 1,
    allowlist: {
      // The emulator's key is the same on every machine and printed in its manual.
      regexes: [/^Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/],
    },
    priority: "P1",
  },
  {
    id: "azure-shared-access-key",
    description: "an Azure shared access key",
    regex: /SharedAccessKey=([A-Za-z0-9+/]{42,88}={0,2})/,
    keywords: ["SharedAccessKey="],
    entropy: 4,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "slack-webhook",
    description: "a Slack webhook address",
    regex:
      /hooks\.slack\.com\/(?:services|workflows)\/(T[A-Z0-9]{6,12}\/[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,32})/,
    keywords: ["hooks.slack.com/"],
    entropy: 3,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "discord-webhook",
    description: "a Discord webhook address",
    regex: /\/api\/webhooks\/(\d{15,21}\/[A-Za-z0-9_-]{60,80})/,
    keywords: ["/api/webhooks/"],
    entropy: 3.5,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "telegram-bot-token",
    description: "a Telegram bot token",
    regex: /(?<=(?<![\w])\d{8,10}):(AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9_-])/,
    keywords: [":AA"],
    entropy: 3.5,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "twilio-auth-token",
    description: "a Twilio auth token",
    regex:
      /twilio[\w.-]{0,30}["'\]]{0,2}\s{0,5}(?:=>|:=|=|:|,)\s{0,5}["'`]?([0-9a-f]{32})(?![0-9a-f])/i,
    keywords: ["twilio"],
    entropy: 3,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "npmrc-token",
    description: "a package registry's token",
    regex: /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?([A-Za-z0-9+/=_.-]{16,400})/,
    keywords: [":_auth", ":_password"],
    entropy: 3,
    secretGroup: 1,
    priority: "P1",
  },
  {
    id: "jwt",
    description: "a signed JSON web token",
    regex:
      /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{12,1000}\.eyJ[A-Za-z0-9_-]{12,4000}\.[A-Za-z0-9_-]{20,1400}/,
    keywords: ["eyJ"],
    entropy: 3.5,
    // The tokens of the standard's own text and of the best-known page about it.
    allowlist: {
      regexes: [
        /\.eyJzdWIiOiIxMjM0NTY3ODkw/,
        /\.eyJpc3MiOiJqb2UiLA0K/,
        /\.eyJzb21lIjoicGF5bG9hZCJ9/,
      ],
    },
    priority: "P2",
  },
  {
    id: "authorization-basic",
    description: "a user and password in an Authorization header",
    regex:
      /(?<=authorization["']?\s{0,3}[:=,]\s{0,3}["'`]?)basic\s{1,3}([A-Za-z0-9+/]{14,400}={0,2})/i,
    keywords: ["basic "],
    entropy: 3.3,
    secretGroup: 1,
    // `user:password` and `username:password`, as the standard's text has them.
    allowlist: {
      regexes: [/^dXNlcjpwYXNz/, /^dXNlcm5hbWU6/, /^QWxhZGRpbjpvcGVu/, /^czZCaGRSa3F0Mz/],
    },
    priority: "P2",
  },
  {
    id: "authorization-bearer",
    description: "a bearer token",
    regex: /bearer\s{1,3}((?=[A-Za-z_~+/.=-]{0,300}\d)[A-Za-z0-9_~+/.=-]{20,1500})/i,
    keywords: ["bearer "],
    entropy: 3.7,
    secretGroup: 1,
    priority: "P2",
  },
  {
    id: "database-url",
    description: "a database address with its password",
    regex:
      /(?<=(?<![a-z])(?:postgres(?:ql)?|mysql2?|mariadb|mongodb|redis|rediss|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|ldaps?|srv|psycopg2|asyncpg|pymysql)):\/\/[^\s:@/"'`<>]{0,100}:([^\s@/"'`<>]{6,200})@[\w.[-]/i,
    keywords: ["://"],
    entropy: 2.5,
    secretGroup: 1,
    allowlist: { regexes: [HOUSEHOLD] },
    priority: "P1",
  },
  {
    id: "url-password",
    description: "a password in an address",
    regex:
      /(?<=(?<![a-z])(?:https?|ftps?|ssh|git|wss?|smtps?|imaps?)):\/\/[^\s:@/"'`<>]{1,100}:([^\s@/"'`<>]{6,200})@[\w.[-]/i,
    keywords: ["://"],
    entropy: 2.5,
    secretGroup: 1,
    allowlist: { regexes: [HOUSEHOLD, /^x-oauth-basic$/] },
    priority: "P1",
  },
];
