import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sworn } from "../fake/child.ts";
import { temporaryFolder } from "../fake/sandbox.ts";

/** What is tried, and how its record says that it ended. */
const ATTEMPTS: readonly (readonly [string, string, RegExp])[] = [
  ["a fork bomb", ":(){ :|:& };:; sleep 2; echo over", /./],
  ["eight gigabytes", 'perl -e \'$x = "x" x (8 << 30); print "took it"\'', /memory|[1-9]/],
  // With the usual memory they fit, into memory that is the task's own; with less they end it.
  [
    "a million files",
    "i=0; while [ $i -lt 1000000 ]; do : > /workspace/data/$i || exit 7; i=$((i+1)); done",
    /"exit_status":(?:0|7|-1)/,
  ],
  ["a flood of output", "yes", /stream_bytes/],
  ["a session of its own", "setsid sleep 600 & exit 3", /3/],
  [
    "looking at processes and the kernel",
    "ls /proc | grep -c '^[0-9]'; cat /proc/kcore; exit 4",
    /4/,
  ],
  ["tracing its parent", "perl -e 'exit(syscall(101, 16, 1, 0, 0) == -1 ? 5 : 0)'", /5/],
  ["mounting", "mount -t tmpfs none /mnt; exit 6", /6/],
  [
    "a link out of the workspace",
    "ln -s /etc/shadow /workspace/output/out; ln /etc/hostname /workspace/output/hard; exit 7",
    /7/,
  ],
  ["a device", "mknod /workspace/data/disk b 8 0; exit 8", /8/],
  ["the clock", "date -s '2001-01-01'; exit 9", /9/],
  ["keys of the runtime", "cat ~/.local/state/sworn/keys/*; exit 10", /10/],
  [
    "the docker socket",
    "perl -MSocket -e 'socket(S,PF_UNIX,SOCK_STREAM,0); exit(connect(S,sockaddr_un(\"/var/run/docker.sock\")) ? 0 : 11)'",
    /11/,
  ],
  [
    "a name, and a datagram",
    "getent hosts example.org; echo x > /dev/udp/192.0.2.1/53; exit 12",
    /12/,
  ],
  ["killing its parent", "kill -9 -1; kill -9 1; exit 13", /./],
];

test.each(ATTEMPTS)("an attempt is recorded with how it ended: %s", async (_what, script, end) => {
  const own = temporaryFolder();
  const project = join(own, "project");
  mkdirSync(project);
  writeFileSync(join(project, "attempt.sh"), `${script}\n`);
  for (const args of [
    ["init", "--quiet"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "first"],
  ]) {
    execFileSync("git", args, { cwd: project });
  }
  const place = { project, state: join(own, "state") };
  const report = join(own, "report.json");
  await sworn(place, ["exec", "--timeout", "20", "--report", report, "--", "bash", "attempt.sh"]);
  const { trace } = JSON.parse(readFileSync(report, "utf8"));
  const { code, out } = await sworn(place, ["verify", trace, "--json"]);
  expect(JSON.parse(out).status).toMatch(/^pass/);
  expect(code).toBe(0);
  const shown = await sworn(place, ["trace", "show", trace, "--json"]);
  const entries = JSON.parse(shown.out).entries as {
    type: string;
    body: Record<string, unknown>;
  }[];
  expect(entries.map(({ type }) => type)).toContain("tool_execution_started");
  const last = entries.find(({ type }) => /^tool_execution_(?:completed|failed)$/.test(type));
  expect(JSON.stringify(last?.body)).toMatch(end);
  expect(JSON.stringify(entries)).toContain("attempt.sh");
});
