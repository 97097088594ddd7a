import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import { COMPARE, deliverable, LIE, type Said, SHELL, SOURCE, TeamRun } from "../flow/team-run.ts";
import { verifies } from "../verifies.ts";
import { ended } from "./built.ts";

const BIN = resolve(import.meta.dirname, "../../dist/cli/bin.js");
const CONFIG = `workflows:
  - name: shell-review
    format: report
    agents:
      - { name: honest, role: Review of what starts programs, scope: ["src/shell.js"] }
      - { name: liar, role: Review of the login, scope: ["src/login.js"] }
      - { name: absent, role: Review of the words, scope: ["**/*.md"] }
`;

/** A project whose people use the built program. */
class Project extends TeamRun {
  async sworn(...args: string[]) {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: this.root,
      env: { ...process.env, SWORN_STATE_DIR: join(this.folder, "state"), HOME: this.folder },
    });
    child.stdin.end();
    const { exit, out, err } = await ended(child);
    return { exit, out, err, json: () => JSON.parse(out) };
  }
}

verifies(
  ["000-1", "000-43", "000-60", "000-63"],
  "a contract is made, agents deliver, and each gets what it earned: the honest, the liar, the absent",
  async () => {
    const project = new Project();
    project.write(join(project.root, "sworn.yaml"), CONFIG);
    project.write(join(project.root, "README.md"), "# Words\n");
    for (const [path, text] of Object.entries(SOURCE)) {
      project.write(join(project.root, path), `${text}// changed\n`);
    }
    project.git("add", "-A", ":!out", ":!sworn.yaml");
    project.git("commit", "-q", "-m", "a change");
    const made = await project.sworn("contract", "shell-review", "--out", "run", "--json");
    expect([made.exit, made.err]).toEqual([0, expect.stringContaining("Contract: ")]);
    const { contract, prompts, uncovered } = made.json();
    expect(uncovered).toEqual([]);
    const { nonce, teammates: owed } = JSON.parse(readFileSync(contract, "utf8"));
    expect(owed.map((one: { file_scope: string[] }) => one.file_scope)).toEqual([
      ["src/shell.js"],
      ["src/login.js"],
      ["README.md"],
    ]);
    for (const { path } of prompts) expect(readFileSync(path, "utf8")).toContain(nonce);
    const say = (name: string, said: Said[]) =>
      project.write(join(project.root, `run/${name}.md`), deliverable(said, { nonce }));
    say("honest", [SHELL]);
    say("liar", [COMPARE, LIE]);
    const judged = await project.sworn("validate", "run/inscription.json", "--json");
    expect(judged.exit).toBe(4);
    const { teammates, gaps, status } = judged.json();
    expect(status).toBe("completed_with_gaps");
    const facts = ["name", "status", "confirmed", "hallucinated", "reliable"];
    expect(teammates.map((one: Record<string, unknown>) => facts.map((name) => one[name]))).toEqual(
      [
        ["honest", "complete", 1, 0, true],
        ["liar", "complete", 1, 1, false],
        ["absent", "missing", 0, 0, true],
      ],
    );
    expect(gaps).toEqual([
      { what: "Review of the words: nothing was delivered", who: "absent", why: "no file" },
      { what: "README.md", why: "only absent had it, and delivered nothing" },
    ]);
    say("liar", [COMPARE]);
    say("absent", []);
    const mended = await project.sworn("validate", "run/inscription.json");
    expect([mended.exit, mended.err]).toEqual([0, ""]);
    expect(
      JSON.parse(readFileSync(join(project.root, "run/completion.json"), "utf8")),
    ).toMatchObject({
      workflow: "rune-shell-review",
      identifier: "run",
      tarnished: { absent: { status: "complete", findings: 0 }, liar: { p1: 0, p2: 1 } },
      aggregation: { tome_path: "run/TOME.md", total_findings: 2 },
    });
  },
);
