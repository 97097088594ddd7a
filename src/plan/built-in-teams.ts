import type { TeamAgent } from "../schema/config.ts";
import type { WorkflowName } from "./workflow.ts";

const SENSITIVE =
  "{auth,login,session,token,crypt,secret,permission,password,security,cookie,csrf,oauth,sanitiz}";

/**
 * Where scopes name equally many files the first one gets them. Security also shares the code that
 * is in nobody's field: harm is seldom done in files that are called after it.
 */
const REVIEWERS: readonly TeamAgent[] = [
  {
    name: "security",
    role: "Security review",
    area: "security",
    scope: [
      `**/*${SENSITIVE}*`,
      `**/*${SENSITIVE}*/**`,
      "**/{Dockerfile,Makefile,package.json,pyproject.toml,go.mod,Cargo.toml,pom.xml}",
      "**/*.{yml,yaml,tf,sh,sql,env}",
      "**",
    ],
    perspectives: [
      "input from outside that is believed",
      "secrets",
      "rights that are not asked for",
    ],
  },
  {
    name: "frontend",
    role: "Review of what people see and use",
    area: "frontend",
    scope: ["**/*.{tsx,jsx,css,scss,less,html,vue,svelte}"],
    perspectives: ["states that are not shown", "access for everybody", "text put into pages"],
  },
  {
    name: "docs",
    role: "Review of the documentation",
    area: "docs",
    scope: ["**/*.{md,mdx,rst,adoc,txt}"],
    perspectives: ["statements that the code contradicts", "steps that do not work"],
  },
  {
    name: "backend",
    role: "Review of the code that runs on servers and in tools",
    area: "backend",
    perspectives: ["wrong results and lost data", "errors that nobody handles", "tests that miss"],
  },
];

/** Who takes part in a built-in workflow where nobody else is named. */
export const BUILT_IN_TEAMS: Readonly<Record<WorkflowName, readonly TeamAgent[]>> = {
  review: REVIEWERS,
  audit: REVIEWERS,
  plan: [
    { name: "code", role: "Research in the code that is there" },
    { name: "practice", role: "Research of how others do it" },
    { name: "history", role: "Research of what was tried before" },
  ],
  work: [
    { name: "worker-1", role: "First worker" },
    { name: "worker-2", role: "Second worker" },
    { name: "worker-3", role: "Third worker" },
  ],
};
