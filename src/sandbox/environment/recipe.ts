import type { EnvironmentName } from "../../schema/execution.ts";

/** The environments that can be built; the machine's own tools need no building. */
export const BUILDABLE = ["base", "node", "python", "rust", "go", "java", "cpp"] as const;
export type Buildable = (typeof BUILDABLE)[number];

/** The user that tasks run as in every environment. */
export const TASK_USER = { name: "chorus", uid: 1000, gid: 1000 } as const;

/** In every environment: what the pull proxy needs inside, and what every project's scripts use. */
const EVERYWHERE =
  "bash ca-certificates coreutils curl diffutils findutils git grep gzip jq make patch procps sed socat tar unzip xz-utils";

/** Debian's names for what each environment adds. */
const ADDED: Readonly<Record<Buildable, string>> = {
  base: "",
  node: "nodejs npm",
  python: "python3 python3-pip python3-venv python3-pytest",
  rust: "rustc cargo rustfmt rust-clippy gcc libc6-dev pkg-config",
  go: "golang-go",
  java: "default-jdk-headless maven",
  cpp: "build-essential clang cmake ninja-build gdb valgrind pkg-config",
};

/** The packages of an environment, sorted. */
export function packagesOf(name: Buildable): string[] {
  return [...new Set(`${EVERYWHERE} ${ADDED[name]}`.split(" ").filter((one) => one !== ""))].sort();
}

/** Whether an environment is one that can be built. */
export function isBuildable(name: string): name is Buildable & EnvironmentName {
  return (BUILDABLE as readonly string[]).includes(name);
}
