import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createBody } from "../../../src/sandbox/docker/container-spec.ts";
import { DockerEngine } from "../../../src/sandbox/docker/index.ts";
import type { Prepared, Task } from "../../../src/sandbox/engine.ts";
import { buildEnvironment, rootFolder } from "../../../src/sandbox/environment/index.ts";
import { ownerOf } from "../../../src/sandbox/run-owner.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { temporaryFolder } from "../../fake/sandbox.ts";
import { verifies } from "../../verifies.ts";
import { installBusybox } from "../environment/fixture.ts";
import { type Daemon, daemonForFile, digestOf } from "./daemon.ts";
import { lyingEngine } from "./lying-engine.ts";

const file = daemonForFile();
let daemon: Daemon;
let state: string;
let engine: DockerEngine;
beforeAll(() => {
  daemon = file.daemon;
  state = join(daemon.folder, "state");
  engine = new DockerEngine({ host: `unix://${daemon.socket}`, state });
});

const MIB = 1 << 20;
const SMALL = {
  memory_bytes: 128 * MIB,
  pids: 64,
  tmp_bytes: 16 * MIB,
  data_bytes: 16 * MIB,
  output_bytes: 16 * MIB,
};

let count = 0;
const taskOf = (argv: readonly string[], more: Partial<Task> = {}): Task => {
  count += 1;
  return {
    id: `test-${count}`,
    root: { kind: "image", id: daemon.image, digest: digestOf("busybox") },
    argv,
    cwd: "/workspace/data",
    env: { PATH: "/usr/bin:/bin", LANG: "C.UTF-8" },
    mounts: [],
    limits: Limits.parse(SMALL),
    ...more,
  };
};

/** Prepares a task whose controls all hold; whatever the test does, nothing of it stays. */
const prepared = async (argv: readonly string[], more: Partial<Task> = {}): Promise<Prepared> => {
  const one = await engine.prepare(taskOf(argv, more));
  onTestFinished(async () => {
    one.stop("the test is over");
    await one.end.catch(() => undefined);
    one.release();
  });
  expect(one.controls.filter(({ holds }) => !holds)).toEqual([]);
  return one;
};

const ran = async (argv: readonly string[], more: Partial<Task> = {}) => {
  const one = await prepared(argv, more);
  one.begin();
  const [out, err, end] = await Promise.all([text(one.stdout), text(one.stderr), one.end]);
  return { out, err, end, output: one.output };
};
const sh = (script: string, more: Partial<Task> = {}) => ran(["sh", "-c", script], more);

const names = async (): Promise<string[]> => {
  const call = { method: "GET", path: "/containers/json", query: { all: "1" } } as const;
  const { body } = await daemon.client.call(call);
  return (body as { Names: string[] }[]).flatMap(({ Names }) => Names);
};

const images = async (): Promise<number> => {
  const { body } = await daemon.client.call({ method: "GET", path: "/images/json" });
  return (body as unknown[]).length;
};

/** A folder that the task's user may look into, as the host sees it. */
const readableFolder = (): string => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
};

test("an engine on this machine can enforce everything", async () => {
  expect(await engine.examine()).toEqual([]);
});

test("every control is named, tried from inside, and read back from the kernel", async () => {
  const { controls } = await prepared(["true"]);
  const found = controls.map(({ name }) => name).sort();
  expect(found).toEqual(
    expect.arrayContaining([
      ..."cpu file_size host_uid kernel_files memory namespaces network_none no_capabilities no_new_privileges".split(
        " ",
      ),
      ..."open_files pids read_only_root same_node seccomp tmp_size unprivileged_uid".split(" "),
    ]),
  );
});

test("a task has its streams, its exit code, its folder and only its own environment", async () => {
  const { out, err, end } = await sh("pwd; env | sort; echo wrong >&2; exit 7", {
    env: { PATH: "/bin", ONE: "a b 'c'" },
  });
  expect(out).toBe("/workspace/data\nONE=a b 'c'\nPATH=/bin\nPWD=/workspace/data\nSHLVL=1\n");
  expect(err).toBe("wrong\n");
  expect(end).toEqual({ code: 7, signal: undefined, limit: undefined });
});

test("arguments arrive as they were given, with no shell between", async () => {
  const { out } = await ran(["printf", "%s|", "a b", "$HOME", "*", "--", "", "é\n"]);
  expect(out).toBe("a b|$HOME|*|--||é\n|");
});

test("a task does not begin before it is told to", async () => {
  const one = await prepared(["touch", "/workspace/output/begun"]);
  expect(readdirSync(one.output)).toEqual([]);
  one.begin();
  await one.end;
  expect(readdirSync(one.output)).toEqual(["begun"]);
});

test("a task without input reads nothing, and with one reads all of it", async () => {
  expect((await ran(["cat"])).out).toBe("");
  const path = join(temporaryFolder(), "input");
  writeFileSync(path, "x".repeat(300_000));
  const { out } = await ran(["wc", "-c"], { stdin: openSync(path, "r") });
  expect(out.trim()).toBe("300000");
});

test("a program that does not exist, and one that cannot be named, is told apart from a failure", async () => {
  expect((await ran(["no-such-program"])).end.code).toBe(127);
  await expect(engine.prepare(taskOf(["A=b"]))).rejects.toMatchObject({ code: "INPUT_INVALID" });
});

verifies("004-35", "a container has no network when it begins, in any family", async () => {
  const { out } = await sh(
    "ls /sys/class/net; cat /proc/net/route | wc -l; nc -w 1 192.0.2.1 80 || echo no way",
  );
  expect(out).toBe("lo\n1\nno way\n");
});

verifies(
  "004-37",
  "a container has exactly the limits of its task, and the engine says the same",
  async () => {
    const input = readableFolder();
    writeFileSync(join(input, "file"), "content\n");
    const one = await prepared(["cat", "/workspace/input/file"], {
      mounts: [{ source: input, target: "/workspace/input", isWritable: false }],
    });
    const { body } = await daemon.client.call({
      method: "GET",
      path: `/containers/sworn-test-${count}/json`,
    });
    expect(body).toMatchObject({
      HostConfig: {
        NetworkMode: "none",
        ReadonlyRootfs: true,
        CapDrop: ["ALL"],
        CapAdd: null,
        Privileged: false,
        Devices: null,
        PidsLimit: 64,
        Memory: 134217728,
        MemorySwap: 134217728,
        NanoCpus: 2000000000,
        IpcMode: "private",
        LogConfig: { Type: "none" },
        SecurityOpt: expect.arrayContaining([
          "no-new-privileges",
          expect.stringMatching(/^seccomp=\{/),
        ]),
      },
      Config: { User: "1000:1000" },
      NetworkSettings: { Networks: { none: expect.anything() } },
    });
    one.begin();
    expect(await text(one.stdout)).toBe("content\n");
  },
);

test("input cannot be written, also by its owner", async () => {
  const input = readableFolder();
  mkdirSync(join(input, "open"), { mode: 0o777 });
  const { err } = await sh("touch /workspace/input/open/x", {
    mounts: [{ source: input, target: "/workspace/input", isWritable: false }],
  });
  expect(err).toContain("Read-only file system");
});

test("a folder that is named through a link is refused: the link could be turned later", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "link"));
  const mounts = [{ source: join(folder, "link"), target: "/workspace/input", isWritable: false }];
  await expect(engine.prepare(taskOf(["true"], { mounts }))).rejects.toThrow(
    /is reached through a link/,
  );
});

test("a folder that does not exist is a failure, and nothing is made in its place", async () => {
  const source = join(temporaryFolder(), "nowhere");
  const mounts = [{ source, target: "/workspace/input", isWritable: false }];
  await expect(engine.prepare(taskOf(["true"], { mounts }))).rejects.toMatchObject({
    code: "SANDBOX_REFUSED",
  });
});

verifies(
  "004-24",
  "a task is user 1000, on the host too, and finds no way to become another",
  async () => {
    const { out } = await sh("id; grep -E 'CapEff|NoNewPrivs' /proc/self/status");
    expect(out).toBe("uid=1000 gid=1000 groups=1000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n");
  },
);

test("output has a bound on the number of its files", async () => {
  const { out } = await sh(
    "i=0; while [ $i -lt 200 ] && : > /workspace/output/$i; do i=$((i+1)); done 2>/dev/null; echo $i",
    { limits: Limits.parse({ ...SMALL, output_files: 100 }) },
  );
  expect(Number(out)).toBeLessThanOrEqual(100);
});

test("stopping ends everything, also what left its session and ignores signals", async () => {
  const one = await prepared([
    "sh",
    "-c",
    "trap '' TERM HUP INT; setsid sh -c 'trap \"\" TERM; sleep 1000' & echo on; sleep 1000",
  ]);
  one.begin();
  for await (const part of one.stdout as AsyncIterable<Buffer>) if (`${part}`.includes("on")) break;
  one.stop("job_seconds");
  expect(await one.end).toEqual({ code: undefined, signal: "SIGKILL", limit: "job_seconds" });
  expect(await names()).not.toContain(`/sworn-test-${count}`);
});

test("a task that is stopped before it was told to begin never begins", async () => {
  const one = await prepared(["touch", "/workspace/output/begun"]);
  one.stop("not today");
  await one.end;
  expect(readdirSync(one.output)).toEqual([]);
});

test("a reader that is slow makes the task wait, and what it printed last is not lost", async () => {
  const one = await prepared([
    "sh",
    "-c",
    "dd if=/dev/zero bs=1024 count=4096 2>/dev/null; echo end >&2",
  ]);
  one.begin();
  let length = 0;
  for await (const part of one.stdout as AsyncIterable<Buffer>) {
    length += part.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(length).toBe(4096 * 1024);
  expect(await text(one.stderr)).toBe("end\n");
});

test("the end comes also when nobody reads", async () => {
  const one = await prepared(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  one.begin();
  expect(await one.end).toMatchObject({ code: 3 });
  expect(await text(one.stdout)).toBe("out\n");
});

test("what nobody reads does not hold up the end, and is there afterwards", async () => {
  const one = await prepared(["sh", "-c", "head -c 300000 /dev/zero; exit 3"]);
  one.begin();
  expect(await one.end).toMatchObject({ code: 3 });
  expect((await text(one.stdout)).length).toBe(300_000);
});

test("input may come through a pipe, while the task runs", async () => {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const stdin = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(path, "w");
  const one = await prepared(["sh", "-c", "echo on; cat"], { stdin });
  one.begin();
  let out = "";
  for await (const part of one.stdout as AsyncIterable<Buffer>) {
    out += part.toString();
    if (out !== "on\n") continue;
    writeSync(writer, "through the pipe\n");
    closeSync(writer);
  }
  closeSync(stdin);
  expect(out).toBe("on\nthrough the pipe\n");
  expect((await one.end).code).toBe(0);
});

test("output can be read after the end, and its links lead nowhere by themselves", async () => {
  const { output } = await sh(
    "echo done > /workspace/output/a; ln -s /etc/passwd /workspace/output/link",
  );
  expect(readFileSync(join(output, "a"), "utf8")).toBe("done\n");
  expect(statSync(join(output, "a")).uid).toBe(1000);
});

test("after a task nothing of it is left: no container, no launcher", async () => {
  await ran(["true"]);
  expect((await names()).filter((name) => name === `/sworn-test-${count}`)).toEqual([]);
  const left = readdirSync(join(state, "docker")).filter((name) => name.startsWith("run."));
  expect(left).toEqual([]);
});

test("several tasks run at the same time, each with its own output", async () => {
  const all = await Promise.all(
    ["a", "b", "c", "d"].map((word) => sh(`echo ${word} > /workspace/output/w; echo ${word}`)),
  );
  expect(all.map(({ out }) => out)).toEqual(["a\n", "b\n", "c\n", "d\n"]);
  expect(all.map(({ output }) => readFileSync(join(output, "w"), "utf8"))).toEqual([
    "a\n",
    "b\n",
    "c\n",
    "d\n",
  ]);
});

test("the id of a task cannot lead anywhere", async () => {
  for (const id of ["../x", "a/b", "", "a b", "?force=1"]) {
    await expect(engine.prepare({ ...taskOf(["true"]), id })).rejects.toMatchObject({
      code: "INPUT_INVALID",
    });
  }
});

test("a name that is taken is a failure, and whoever has it keeps it", async () => {
  const one = await prepared(["sh", "-c", "echo still here"]);
  const task = taskOf(["true"], { id: `test-${count}` });
  await expect(engine.prepare(task)).rejects.toThrow(/409/);
  one.begin();
  expect(await text(one.stdout)).toBe("still here\n");
});

verifies(
  "004-54",
  "an image is named by its id: tags, names and parts of an id are refused",
  async () => {
    const before = await names();
    for (const id of [
      "busybox",
      "busybox:latest",
      daemon.image.slice(0, 20),
      daemon.image.slice(7),
      "a@sha256:0",
    ]) {
      const root = { kind: "image", id, digest: digestOf("x") } as const;
      await expect(engine.prepare(taskOf(["true"], { root }))).rejects.toMatchObject({
        code: "SANDBOX_REFUSED",
        message: expect.stringContaining("never a tag"),
      });
    }
    expect(await names()).toEqual(before);
  },
);

test("an image that the engine does not have is refused, and not looked for elsewhere", async () => {
  const root = { kind: "image", id: digestOf("nothing"), digest: digestOf("x") } as const;
  await expect(engine.prepare(taskOf(["true"], { root }))).rejects.toThrow(
    /has no image .*import it first/,
  );
});

test("the machine's own programs are no image", async () => {
  const root = { kind: "host" } as const;
  await expect(engine.prepare(taskOf(["true"], { root }))).rejects.toThrow(/or use bwrap/);
});

test("an environment that was built is imported once, and tasks run in it", async () => {
  const own = join(temporaryFolder(), "state");
  const { digest } = await buildEnvironment("base", { state: own, install: installBusybox });
  const root = { kind: "folder", path: rootFolder(own, digest), digest } as const;
  const before = await images();
  expect((await ran(["id"], { root })).out).toBe(
    "uid=1000(chorus) gid=1000(chorus) groups=1000(chorus)\n",
  );
  expect((await ran(["cat", "/etc/passwd"], { root })).out).toContain("chorus");
  expect(await images()).toBe(before + 1);
});

test("containers of a process that is gone are removed, those of one that lives are not", async () => {
  const one = await prepared(["true"]);
  const mine = `/sworn-test-${count}`;
  const gone = ownerOf().replace(/\d+$/, "1");
  const plan = {
    task: taskOf(["true"]),
    image: daemon.image,
    launcher: "/etc/hostname",
    seccomp: "unconfined",
    kind: "docker" as const,
  };
  for (const [name, owner] of [
    ["gone", gone],
    ["other-boot", "x/1/1/1"],
  ] as const) {
    const body = createBody({ ...plan, owner });
    await daemon.client.call({ method: "POST", path: "/containers/create", query: { name }, body });
  }
  const plain = { Image: daemon.image, Cmd: ["true"] };
  await daemon.client.call({
    method: "POST",
    path: "/containers/create",
    query: { name: "foreign" },
    body: plain,
  });
  mkdirSync(join(state, "docker", `run.${gone.replaceAll("/", ".")}.abc`));
  expect(await engine.reap()).toBe(2);
  expect((await names()).filter((name) => !/test/.test(name))).toEqual(["/foreign"]);
  expect(await names()).toContain(mine);
  expect(readdirSync(join(state, "docker")).filter((name) => name.endsWith(".abc"))).toEqual([]);
  one.begin();
  expect((await one.end).code).toBe(0);
});

test.each<[string, RegExp, (path: string, body: Record<string, unknown>) => void]>([
  [
    "left a limit out and says so in a warning",
    /the engine warns: no swap limit/,
    (path, body) => {
      if (path.includes("/create")) body["Warnings"] = ["no swap limit"];
    },
  ],
  [
    "made the container with a network",
    /NetworkMode was to be "none" and is "bridge"/,
    (path, body) => {
      if (path.endsWith("/json"))
        Object.assign(body["HostConfig"] ?? {}, { NetworkMode: "bridge" });
    },
  ],
])("a container of an engine that %s is removed and never started", async (_what, why, lie) => {
  const asked: string[] = [];
  const host = await lyingEngine(daemon.socket, (path, body) => {
    asked.push(path);
    lie(path, body);
  });
  const own = new DockerEngine({ host, state });
  const before = await names();
  await expect(own.prepare(taskOf(["true"]))).rejects.toThrow(why);
  expect(await names()).toEqual(before);
  expect(asked.filter((path) => path.includes("/start"))).toEqual([]);
  expect(readdirSync(join(state, "docker")).filter((name) => name.startsWith("run."))).toEqual([]);
});

const killed = async (begin: "begin" | "wait"): Promise<void> => {
  const script = join(import.meta.dirname, "crash.mjs");
  const child = spawn(process.execPath, [script, daemon.socket, state, daemon.image, begin]);
  for await (const part of child.stdout as AsyncIterable<Buffer>)
    if (`${part}`.includes("ready")) break;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
};

verifies("004-74", "what a killed runtime has left behind is removed by the next one", async () => {
  await killed("begin");
  expect(await names()).toContain("/sworn-crash-begin");
  expect(await engine.reap()).toBe(1);
  expect(await names()).not.toContain("/sworn-crash-begin");
  expect(readdirSync(join(state, "docker")).filter((name) => name.startsWith("run."))).toEqual([]);
});

test("a task whose runtime is killed before it began never begins", async () => {
  await killed("wait");
  const wait = { method: "POST", path: "/containers/sworn-crash-wait/wait" } as const;
  expect((await daemon.client.call(wait)).body).toMatchObject({ StatusCode: 125 });
  expect(await engine.reap()).toBe(1);
});
