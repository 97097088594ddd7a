import type { Rule } from "./rule.ts";

interface Prefixed {
  readonly id: string;
  readonly description: string;
  /** What the token starts with, literally. */
  readonly starts: readonly string[];
  /** The pattern of what follows the start. */
  readonly rest: string;
  readonly priority?: Rule["priority"];
}

/** Tokens that their maker gave a prefix, so that they can be found. */
const PREFIXED: readonly Prefixed[] = [
  {
    id: "aws-access-key-id",
    description: "an AWS access key id",
    starts: ["AKIA", "ASIA", "ABIA", "ACCA"],
    rest: "[A-Z2-7]{16}",
    priority: "P2",
  },
  {
    id: "github-token",
    description: "a GitHub token",
    starts: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
    rest: "[A-Za-z0-9]{36,255}",
  },
  {
    id: "github-fine-grained-token",
    description: "a GitHub fine-grained token",
    starts: ["github_pat_"],
    rest: "[A-Za-z0-9_]{60,255}",
  },
  {
    id: "gitlab-token",
    description: "a GitLab token",
    starts: ["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-"],
    rest: "[A-Za-z0-9_.-]{20,300}",
  },
  {
    id: "slack-token",
    description: "a Slack token",
    starts: ["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-"],
    rest: "[A-Za-z0-9-]{20,250}",
  },
  {
    id: "slack-app-token",
    description: "a Slack app token",
    starts: ["xapp-"],
    rest: "[0-9]-[A-Z0-9]{8,20}-[0-9]{8,20}-[a-f0-9]{40,80}",
  },
  {
    id: "stripe-live-key",
    description: "a Stripe live key",
    starts: ["sk_live_", "rk_live_"],
    rest: "[A-Za-z0-9]{16,247}",
  },
  {
    id: "stripe-test-key",
    description: "a Stripe test key",
    starts: ["sk_test_", "rk_test_"],
    rest: "[A-Za-z0-9]{16,247}",
    priority: "P3",
  },
  {
    id: "stripe-webhook-secret",
    description: "a Stripe webhook secret",
    starts: ["whsec_"],
    rest: "[A-Za-z0-9+/]{32,100}={0,2}",
  },
  {
    id: "google-api-key",
    description: "a Google API key",
    starts: ["AIza"],
    rest: "[A-Za-z0-9_-]{35}",
  },
  {
    id: "google-client-secret",
    description: "a Google OAuth client secret",
    starts: ["GOCSPX-"],
    rest: "[A-Za-z0-9_-]{28}",
  },
  {
    id: "google-oauth-token",
    description: "a Google OAuth token",
    starts: ["ya29."],
    rest: "[A-Za-z0-9_-]{30,400}",
  },
  { id: "npm-token", description: "an npm token", starts: ["npm_"], rest: "[A-Za-z0-9]{36}" },
  {
    id: "pypi-token",
    description: "a PyPI token",
    starts: ["pypi-AgE"],
    rest: "[A-Za-z0-9_-]{50,400}",
  },
  {
    id: "anthropic-key",
    description: "an Anthropic API key",
    starts: ["sk-ant-"],
    rest: "[A-Za-z0-9_-]{24,200}",
  },
  {
    id: "openai-key",
    description: "an OpenAI API key",
    starts: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    rest: "[A-Za-z0-9_-]{40,250}",
  },
  {
    id: "openai-key",
    description: "an OpenAI API key",
    starts: ["sk-"],
    rest: "(?:[A-Za-z0-9]{48}|[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})",
  },
  {
    id: "sendgrid-key",
    description: "a SendGrid API key",
    starts: ["SG."],
    rest: "[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}",
  },
  {
    id: "twilio-api-key",
    description: "a Twilio API key",
    starts: ["SK"],
    rest: "[0-9a-f]{32}",
    priority: "P2",
  },
  { id: "mailgun-key", description: "a Mailgun key", starts: ["key-"], rest: "[0-9a-f]{32}" },
  {
    id: "digitalocean-token",
    description: "a DigitalOcean token",
    starts: ["dop_v1_", "doo_v1_", "dor_v1_"],
    rest: "[0-9a-f]{64}",
  },
  {
    id: "huggingface-token",
    description: "a Hugging Face token",
    starts: ["hf_"],
    rest: "[A-Za-z0-9]{34}",
  },
  {
    id: "databricks-token",
    description: "a Databricks token",
    starts: ["dapi"],
    rest: "[0-9a-f]{32}(?:-\\d)?",
  },
  {
    id: "shopify-token",
    description: "a Shopify token",
    starts: ["shpat_", "shpss_", "shpca_", "shppa_"],
    rest: "[0-9a-fA-F]{32}",
  },
  {
    id: "square-secret",
    description: "a Square secret",
    starts: ["sq0csp-", "sq0atp-"],
    rest: "[A-Za-z0-9_-]{22,43}",
  },
  {
    id: "linear-key",
    description: "a Linear API key",
    starts: ["lin_api_"],
    rest: "[A-Za-z0-9]{40}",
  },
  {
    id: "notion-token",
    description: "a Notion token",
    starts: ["ntn_"],
    rest: "[A-Za-z0-9]{40,60}",
  },
  {
    id: "postman-key",
    description: "a Postman API key",
    starts: ["PMAK-"],
    rest: "[0-9a-f]{24}-[0-9a-f]{34}",
  },
  {
    id: "grafana-token",
    description: "a Grafana token",
    starts: ["glsa_"],
    rest: "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}",
  },
  {
    id: "vault-token",
    description: "a Vault token",
    starts: ["hvs.", "hvb."],
    rest: "[A-Za-z0-9_-]{24,300}",
  },
  {
    id: "docker-hub-token",
    description: "a Docker Hub token",
    starts: ["dckr_pat_"],
    rest: "[A-Za-z0-9_-]{27}",
  },
  {
    id: "rubygems-key",
    description: "a RubyGems key",
    starts: ["rubygems_"],
    rest: "[0-9a-f]{48}",
  },
  { id: "new-relic-key", description: "a New Relic key", starts: ["NRAK-"], rest: "[A-Z0-9]{27}" },
  { id: "groq-key", description: "a Groq API key", starts: ["gsk_"], rest: "[A-Za-z0-9]{52}" },
  { id: "supabase-token", description: "a Supabase token", starts: ["sbp_"], rest: "[0-9a-f]{40}" },
  {
    id: "planetscale-secret",
    description: "a PlanetScale secret",
    starts: ["pscale_tkn_", "pscale_pw_"],
    rest: "[A-Za-z0-9_.=-]{32,64}",
  },
  {
    id: "atlassian-token",
    description: "an Atlassian token",
    starts: ["ATATT3x"],
    rest: "[A-Za-z0-9_=-]{60,300}",
  },
  {
    id: "age-secret-key",
    description: "an age secret key",
    starts: ["AGE-SECRET-KEY-1"],
    rest: "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
  },
  {
    id: "age-secret-key",
    description: "an age secret key",
    starts: ["AGE-SECRET-KEY-PQ-1"],
    rest: "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{40,200}",
  },
];

/** Tokens repeat characters now and then, stand-ins do all the time. */
const TOKEN_ENTROPY = 3;

const escaped = (text: string): string => text.replace(/[.\\+*?()[\]{}|^$/-]/g, "\\$&");

/** The rules for tokens with a prefix: nothing of a word before, nothing of the token after. */
export const TOKEN_RULES: readonly Rule[] = PREFIXED.map(
  ({ id, description, starts, rest, priority = "P1" }) => ({
    id,
    description,
    regex: new RegExp(
      `(?<![A-Za-z0-9])(?:${starts.map(escaped).join("|")})(?:${rest})(?![A-Za-z0-9])`,
    ),
    keywords: starts,
    entropy: TOKEN_ENTROPY,
    priority,
  }),
);
