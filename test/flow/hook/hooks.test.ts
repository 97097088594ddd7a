import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { installHook, listHooks, removeHook } from "../../../src/flow/hook/hooks.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { GitFolder } from "../../repo/git-folder.ts";

type Kind = "claude" | "codex" | "git";

function project() {
  const git = new GitFolder();
  const at = (kind: Kind, isUser = false) => ({
    kind,
    isUser,
    folder: git.path,
    home: git.home,
    env: git.env,
  });
  const read = (name: string): string => readFileSync(join(git.path, name), "utf8");
  return { git, at, read, hooks: join(git.path, ".git/hooks") };
}

const mine = (text: string): object[] =>
  JSON.parse(text).hooks.Stop.flatMap(({ hooks }: { hooks: object[] }) => hooks);

/** Settings of a user, where no repository is needed. */
function home() {
  const path = temporaryFolder();
  const at = (kind: Kind) => ({ kind, isUser: true, folder: path, home: path, env: {} });
  const read = (name: string): string => readFileSync(join(path, name), "utf8");
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  return { path, at, read, write };
}

describe.each([
  ["claude", ".claude/settings.json"],
  ["codex", ".codex/hooks.json"],
] as const)("the stop hook of %s", (kind, name) => {
  test("is put in, once, and taken out again", async () => {
    const { path, at, read } = home();
    expect(await installHook(at(kind))).toEqual({ path: join(path, name), change: "added" });
    const [hook, ...others] = mine(read(name));
    expect(others).toEqual([]);
    expect(hook).toEqual({
      type: "command",
      timeout: 120,
      command: expect.stringMatching(
        new RegExp(
          `^if command -v sworn .* then sworn hook run ${kind}; else echo ".*" >&2; exit 1; fi$`,
        ),
      ),
    });
    const before = read(name);
    expect((await installHook(at(kind))).change).toBe("there");
    expect(read(name)).toBe(before);
    expect((await removeHook(at(kind))).was).toBe(true);
    expect(existsSync(join(path, name))).toBe(false);
    expect((await removeHook(at(kind))).was).toBe(false);
  });

  test("leaves everything else as it is, in its order, with its mode", async () => {
    const { path, at, read, write } = home();
    const other = { type: "command", command: "say done" };
    const settings = {
      z: { deep: [1, "two", null] },
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [other] }], Stop: [{ hooks: [other] }] },
      a: true,
    };
    write(name, JSON.stringify(settings));
    chmodSync(join(path, name), 0o600);
    await installHook(at(kind));
    expect(mine(read(name)).length).toBe(2);
    expect(Object.keys(JSON.parse(read(name)))).toEqual(["z", "hooks", "a"]);
    expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
    await removeHook(at(kind));
    expect(JSON.parse(read(name))).toEqual(settings);
  });

  test("an older line of ours is renewed, beside others in its group", async () => {
    const { at, read, write } = home();
    const group = {
      hooks: [
        { type: "command", command: `sworn hook run ${kind} --old` },
        { type: "command", command: "say done" },
      ],
    };
    write(name, JSON.stringify({ hooks: { Stop: [group] } }));
    expect((await installHook(at(kind))).change).toBe("renewed");
    const commands = mine(read(name)).map((hook) => (hook as { command: string }).command);
    expect(commands.filter((one) => one.includes("sworn hook run")).length).toBe(1);
    expect(commands).toContain("say done");
    expect(commands.join()).not.toContain("--old");
  });

  test.each([
    ["what is no JSON", '{"hooks": {'],
    ["what is no object", "[]"],
    ["a key that is given twice", '{"a": 1, "a": 2}'],
    ["hooks in another form", '{"hooks": []}'],
    ["stop hooks in another form", '{"hooks": {"Stop": {}}}'],
  ])("%s is refused, and stays as it is", async (_, text) => {
    const { at, read, write } = home();
    write(name, text);
    await expect(installHook(at(kind))).rejects.toThrow(/nothing was changed/);
    await expect(removeHook(at(kind))).rejects.toThrow(/nothing was changed/);
    expect(read(name)).toBe(text);
  });

  test("a link in place of the file or of its folder is not followed", async () => {
    const { path, at } = home();
    const [folder, file] = name.split("/") as [string, string];
    const outside = temporaryFolder();
    writeFileSync(join(outside, file), "{}");
    symlinkSync(outside, join(path, folder));
    await expect(installHook(at(kind))).rejects.toThrow(/links are not followed/);
    const second = home();
    mkdirSync(join(second.path, folder));
    symlinkSync(join(outside, file), join(second.path, name));
    await expect(installHook(second.at(kind))).rejects.toThrow(/links are not followed/);
    await expect(removeHook(second.at(kind))).rejects.toThrow(/links are not followed/);
    expect(readFileSync(join(outside, file), "utf8")).toBe("{}");
  });
});

test("a hook of the project goes to its top, and all places are listed", async () => {
  const { git, at } = project();
  git.write("src/deep/a.ts", "");
  const deep = { ...at("claude"), folder: join(git.path, "src/deep") };
  expect((await installHook(deep)).path).toBe(join(git.path, ".claude/settings.json"));
  git.write(".codex/hooks.json", "nonsense");
  await installHook(at("codex", true));
  const places = await listHooks(deep);
  expect(places.map(({ kind, scope, state }) => `${kind} ${scope} ${state}`)).toEqual([
    "claude project current",
    "claude user none",
    "codex project unreadable",
    "codex user current",
    "git project none",
  ]);
  expect(places[2]?.why).toContain("cannot be read");
});

describe("git's hook", () => {
  test("is put in, once, and taken out again", async () => {
    const { at, hooks } = project();
    const path = join(hooks, "commit-msg");
    expect(await installHook(at("git"))).toEqual({ path, change: "added" });
    expect(statSync(path).mode & 0o777).toBe(0o755);
    expect((await installHook(at("git"))).change).toBe("there");
    expect((await removeHook(at("git"))).was).toBe(true);
    expect(existsSync(path)).toBe(false);
  });

  test("one that is there runs first, and comes back", async () => {
    const { at, hooks, git } = project();
    const path = join(hooks, "commit-msg");
    const before = '#!/bin/sh\necho "$1" > seen\nexit 7\n';
    mkdirSync(hooks, { recursive: true });
    writeFileSync(path, before, { mode: 0o755 });
    expect((await installHook(at("git"))).change).toBe("chained");
    expect(() => git.git("commit", "--allow-empty", "--message", "x")).toThrow();
    expect(readFileSync(join(git.path, "seen"), "utf8")).toContain("COMMIT_EDITMSG");
    // Again: nothing is chained twice.
    await installHook(at("git"));
    await removeHook(at("git"));
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(hooks).filter((name) => name.includes("sworn"))).toEqual([]);
  });

  test("a kept hook is never overwritten, and somebody else's is not removed", async () => {
    const { at, hooks } = project();
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, "commit-msg"), "theirs");
    expect((await removeHook(at("git"))).was).toBe(false);
    writeFileSync(join(hooks, "commit-msg.before-sworn"), "precious");
    await expect(installHook(at("git"))).rejects.toThrow(/is in the way/);
    expect(readFileSync(join(hooks, "commit-msg"), "utf8")).toBe("theirs");
    expect(readFileSync(join(hooks, "commit-msg.before-sworn"), "utf8")).toBe("precious");
  });

  test("goes where core.hooksPath says, if that is in the project", async () => {
    const { at, git } = project();
    git.git("config", "core.hooksPath", ".husky");
    expect((await installHook(at("git"))).path).toBe(join(git.path, ".husky/commit-msg"));
    git.git("config", "core.hooksPath", join(git.home, "elsewhere"));
    await expect(installHook(at("git"))).rejects.toThrow(/nothing was changed/);
    expect(existsSync(join(git.home, "elsewhere"))).toBe(false);
    mkdirSync(join(git.home, "outside"));
    symlinkSync(join(git.home, "outside"), join(git.path, "linked"));
    git.git("config", "core.hooksPath", "linked");
    await expect(installHook(at("git"))).rejects.toThrow(/which is elsewhere/);
    expect(readdirSync(join(git.home, "outside"))).toEqual([]);
  });

  test("one folder for all repositories is changed only when that was asked for", async () => {
    const { at, git } = project();
    await expect(installHook(at("git", true))).rejects.toThrow(/leave --user out/);
    git.git("config", "--global", "core.hooksPath", join(git.home, "all-hooks"));
    await expect(installHook(at("git"))).rejects.toThrow(/say --user/);
    expect((await installHook(at("git", true))).path).toBe(join(git.home, "all-hooks/commit-msg"));
  });

  test("a link that is there is kept as a link", async () => {
    const { at, git, hooks } = project();
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(git.home, "theirs"), "#!/bin/sh\n");
    symlinkSync(join(git.home, "theirs"), join(hooks, "commit-msg"));
    expect((await installHook(at("git"))).change).toBe("chained");
    expect(lstatSync(join(hooks, "commit-msg.before-sworn")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(git.home, "theirs"), "utf8")).toBe("#!/bin/sh\n");
  });
});

test("git's hook lets a message through that could not be judged, and nothing else but a yes", async () => {
  const { git, at, hooks } = project();
  await installHook(at("git"));
  git.write("sworn", "#!/bin/sh\necho said >&2\nexit $ENDS\n");
  chmodSync(join(git.path, "sworn"), 0o755);
  for (const [ends, status] of [
    ["0", 0],
    ["1", 0],
    ["2", 2],
    ["4", 4],
    ["130", 130],
  ] as const) {
    const env = { PATH: `${git.path}:/usr/bin:/bin`, ENDS: ends };
    const ran = spawnSync(join(hooks, "commit-msg"), ["message"], { encoding: "utf8", env });
    expect([ran.status, ran.stderr]).toEqual([status, "said\n"]);
  }
});

test("without sworn every hook says what to do, and only git's holds up", async () => {
  const { at, git, read, hooks } = project();
  await installHook(at("claude"));
  await installHook(at("git"));
  const [{ command }] = mine(read(".claude/settings.json")) as [{ command: string }];
  const options = { encoding: "utf8", env: { PATH: "/usr/bin:/bin" }, cwd: git.path } as const;
  const stop = spawnSync("sh", ["-c", command], options);
  expect([stop.status, stop.stdout]).toEqual([1, ""]);
  expect(stop.stderr).toContain("take the hook out of .claude/settings.json");
  const commit = spawnSync("sh", [join(hooks, "commit-msg"), "x"], options);
  expect(commit.status).toBe(1);
  expect(commit.stderr).toContain("--no-verify");
});
