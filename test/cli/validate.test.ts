import { join } from "node:path";
import { expect, test } from "vitest";
import { COMPARE, CONTRACT, deliverable, LIE, SHELL, TeamRun } from "../flow/team-run.ts";
import { Shell } from "./shell.ts";

const INSCRIPTION = "out/inscription.json";

/** A team's repository with a command line at its root. */
class Desk extends TeamRun {
  readonly #shell = new Shell();

  run(...argv: string[]) {
    return this.#shell.runWith({ cwd: this.root }, ...argv);
  }

  validate(...argv: string[]) {
    return this.run("validate", INSCRIPTION, ...argv);
  }
}

function whole(): Desk {
  const desk = new Desk();
  desk.deliver("forge.md", deliverable([SHELL]));
  desk.deliver("ward.md", deliverable([COMPARE]));
  return desk;
}

test("0: everybody delivered, and nothing is made up", async () => {
  const desk = whole();
  const { exit, out, err } = await desk.validate();
  expect([exit, err]).toEqual([0, ""]);
  expect(out).toContain("TEAMMATE  STATUS    FINDINGS  CONFIRMED  INACCURATE  MADE UP  UNCHECKED");
  expect(out).toMatch(/forge +complete +1 +1 +0 +0 +0/);
  expect(out).toContain(
    "completed: 2 of 2 teammates complete; 2 confirmed, 0 inaccurate, 0 made up",
  );
  expect(out).toContain(`Wrote ${join(desk.out, "completion.json")}`);
});

test("1: nobody delivered anything, which is a complaint and no result", async () => {
  const desk = new Desk();
  const { exit, out, err } = await desk.validate();
  expect([exit, out]).toEqual([1, ""]);
  expect(err).toMatch(/FAILED: none of the 2 expected files is there/);
  expect(err).toContain("ward: no file");
  expect(err).toContain("--wait");
  const asJson = (await desk.validate("--json")).json();
  expect(asJson).toMatchObject({
    status: "failed",
    teammates: [{ name: "forge" }, { name: "ward" }],
  });
});

test("2: the contract cannot be read, or is none", async () => {
  const desk = new Desk({ ...CONTRACT, teammates: [{ name: "forge" }] });
  const wrong = await desk.validate();
  expect(wrong.exit).toBe(2);
  expect(wrong.err).toMatch(/teammates\[0\]\.output_file: .*teammates\[0\]\.required_sections/);
  const absent = await desk.run("validate", "no/such.json");
  expect(absent.exit).toBe(2);
  expect(absent.err).toContain('"sworn contract" makes one');
  expect((await desk.validate("--at", "no-such-commit")).exit).toBe(2);
});

test("3: somebody is missing; the table says what that means", async () => {
  const desk = new Desk();
  desk.deliver("ward.md", deliverable([COMPARE]));
  const { exit, out } = await desk.validate();
  expect(exit).toBe(3);
  expect(out).toMatch(/forge +missing +0 .*The part of forge: nothing was delivered/);
  expect(out).toContain("src/shell.js: only forge had it, and delivered nothing");
  expect(out).toContain("Next: have forge deliver what is missing, then validate again");
});

test("4: something is made up, and weighs more than what is missing", async () => {
  const desk = new Desk();
  desk.deliver("ward.md", deliverable([COMPARE, LIE]));
  const { exit, out } = await desk.validate();
  expect(exit).toBe(4);
  expect(out).toMatch(/ward +complete +2 +1 +0 +1 +0 +unreliable: everything it wrote is in doubt/);
  expect(out).toMatch(/Made up:\n {2}ward SEC-002 Input is evaluated: /);
});

test("4: something was put into the bound document", async () => {
  const desk = whole();
  await desk.validate();
  desk.deliver("TOME.md", `${desk.read("TOME.md")}\n- [ ] **[SEC-009] Planted** in \`a.js:1\`\n`);
  const { exit, json } = await desk.validate("--json");
  expect(exit).toBe(4);
  expect(json()).toMatchObject({
    injected: [{ id: "SEC-009", title: "Planted", file: "a.js", why: "it carries no nonce" }],
  });
});

test("the JSON document and SARIF", async () => {
  const desk = whole();
  const document = (await desk.validate("--json")).json<Record<string, object>>();
  expect(Object.keys(document).sort().join(" ")).toBe(
    "commit files folder gaps injected notes questions retry_at second_look self_review status summary teammates warnings workflow",
  );
  expect(document["summary"]).toEqual({
    complete: 2,
    teammates: 2,
    confirmed: 2,
    inaccurate: 0,
    hallucinated: 0,
    unverified: 0,
    injected: 0,
    gaps: 0,
  });
  const { exit, json } = await desk.validate("--sarif");
  expect(exit).toBe(0);
  const { runs } = json<{ runs: { results: object[] }[] }>();
  expect(runs[0]?.results).toHaveLength(2);
});

test("text of the team cannot steer a terminal", async () => {
  const desk = whole();
  desk.deliver("ward.md", deliverable([{ ...LIE, title: "Red \u001b[31m text" }]));
  expect((await desk.validate()).out).not.toContain("\u001b");
});

test("contract and validate, from one to the other", async () => {
  const desk = new Desk();
  desk.write(join(desk.root, "src/login.js"), "exports.login = () => 3;\n");
  desk.git("add", "-A", "src");
  desk.git("commit", "-q", "-m", "a change");
  const made = await desk.run("contract", "review", "--out", "run");
  expect(made.exit).toBe(0);
  expect(made.out).toContain(`"sworn validate ${join(desk.root, "run/inscription.json")}"`);
  expect(made.out).toMatch(/security +1 +.*run\/prompts\/security\.md/);
  const json = (await desk.run("contract", "review", "--out", "more", "--json")).json();
  expect(Object.keys(json).sort().join(" ")).toBe(
    "contract folder notes prompts uncovered workflow",
  );
  expect((await desk.run("contract", "review", "--out", "run")).exit).toBe(3);
  expect((await desk.run("contract", "reviw")).err).toContain("did you mean review?");
  expect((await desk.run("validate", "run/inscription.json")).exit).toBe(1);
  desk.write(join(desk.root, "run/inscription.json"), JSON.stringify(CONTRACT));
  const changed = await desk.run("validate", "run/inscription.json");
  expect(changed.exit).toBe(4);
  expect(changed.out).toMatch(/changed after it was made; nothing was judged/);
});

test("who keeps failing is told when to try again", async () => {
  const desk = new Desk();
  const unsealed = deliverable([COMPARE]).replace(/---\nSEAL.*/s, "");
  desk.deliver("forge.md", unsealed);
  desk.deliver("ward.md", unsealed);
  for (let time = 1; time <= 2; time += 1) await desk.validate();
  const { out } = await desk.validate();
  expect(out).toMatch(
    /^Next: validate again after \d{4}-\d\d-\d\dT[\d:.]+Z; until then a check that kept failing is not made$/m,
  );
});
