import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "../../../src/base/index.ts";
import { assertContainer } from "../../../src/sandbox/docker/assert-container.ts";
import { type ContainerPlan, createBody } from "../../../src/sandbox/docker/container-spec.ts";
import { Limits } from "../../../src/schema/execution.ts";
import { verifies } from "../../verifies.ts";
import { daemonForFile, digestOf } from "./daemon.ts";

type Inspected = { HostConfig: Record<string, unknown>; Config: Record<string, unknown> } & Record<
  string,
  unknown
>;

const folder = mkdtempSync(join(tmpdir(), "sworn-plan-"));
const file = daemonForFile();
let plan: ContainerPlan;
let made: string;
beforeAll(async () => {
  const { client, image } = file.daemon;
  const launcher = join(folder, "launcher");
  writeFileSync(launcher, "");
  plan = {
    task: {
      id: "t",
      root: { kind: "image", id: image, digest: digestOf("x") },
      argv: ["true"],
      cwd: "/workspace/data",
      env: {},
      mounts: [{ source: folder, target: "/workspace/input", isWritable: false }],
      limits: Limits.parse({}),
    },
    kind: "docker",
    image,
    launcher,
    seccomp: '{"defaultAction":"SCMP_ACT_ALLOW"}',
    owner: "me",
  };
  const call = { method: "POST", path: "/containers/create", query: { name: "one" } } as const;
  await client.call({ ...call, body: createBody(plan) });
  made = JSON.stringify((await client.call({ method: "GET", path: "/containers/one/json" })).body);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const changed = (change: (inspected: Inspected) => void): Json => {
  const inspected = JSON.parse(made) as Inspected;
  change(inspected);
  return inspected as unknown as Json;
};

test("a container that was made as asked is let through", () => {
  assertContainer(JSON.parse(made) as Json, plan);
});

verifies(
  "004-37",
  "a container that differs in any one setting is refused, and the setting is named",
  () => {
    const host: Record<string, unknown> = {
      NetworkMode: "bridge",
      ReadonlyRootfs: false,
      CapDrop: ["NET_RAW"],
      CapAdd: ["SYS_ADMIN"],
      Privileged: true,
      SecurityOpt: ["no-new-privileges"],
      PidsLimit: 0,
      Memory: 0,
      MemorySwap: -1,
      NanoCpus: 0,
      Ulimits: [],
      Tmpfs: {},
      ShmSize: 1 << 40,
      Dns: ["192.0.2.1"],
      IpcMode: "host",
      PidMode: "host",
      UTSMode: "host",
      UsernsMode: "host",
      CgroupnsMode: "host",
      Init: true,
      LogConfig: { Type: "json-file" },
      RestartPolicy: { Name: "always" },
      Devices: [{ PathOnHost: "/dev/kvm" }],
      DeviceRequests: [{ Driver: "nvidia" }],
      DeviceCgroupRules: ["a *:* rwm"],
      Binds: ["/:/host"],
      VolumesFrom: ["other"],
      GroupAdd: ["0"],
      PortBindings: { "80/tcp": [{ HostPort: "80" }] },
      PublishAllPorts: true,
      ExtraHosts: ["a:1.2.3.4"],
      OomKillDisable: true,
      OomScoreAdj: -1000,
      CgroupParent: "/",
      Sysctls: { "net.ipv4.ip_forward": "1" },
      MaskedPaths: [],
      ReadonlyPaths: [],
      SomethingNew: "on",
    };
    for (const [name, value] of Object.entries(host)) {
      const answer = changed(({ HostConfig }) => {
        HostConfig[name] = value;
      });
      expect(() => assertContainer(answer, plan), name).toThrow(new RegExp(`\\b${name}\\b`));
    }
  },
);

test.each([
  "NetworkMode",
  "ReadonlyRootfs",
  "CapDrop",
  "SecurityOpt",
  "PidsLimit",
  "Memory",
  "Ulimits",
])("an engine that says nothing about %s is refused", (name) => {
  const answer = changed(({ HostConfig }) => {
    delete HostConfig[name];
  });
  expect(() => assertContainer(answer, plan)).toThrow(/not there/);
});

test("what the container runs, as whom and where, is compared too", () => {
  const config: Record<string, unknown> = {
    User: "",
    Entrypoint: ["/bin/sh"],
    WorkingDir: "/",
    Tty: true,
    StdinOnce: false,
    Healthcheck: { Test: ["CMD", "true"] },
    ExposedPorts: { "80/tcp": {} },
    Volumes: { "/data": {} },
    MacAddress: "02:42:ac:11:00:02",
    Hostname: "elsewhere",
  };
  for (const [name, value] of Object.entries(config)) {
    const answer = changed(({ Config }) => {
      Config[name] = value;
    });
    expect(() => assertContainer(answer, plan), name).toThrow(new RegExp(`\\b${name}\\b`));
  }
});

test.each<[string, (inspected: Inspected) => void]>([
  [
    "another image",
    (one) => {
      one["Image"] = digestOf("other");
    },
  ],
  [
    "another program",
    (one) => {
      one["Path"] = "/bin/sh";
    },
  ],
  [
    "more arguments",
    (one) => {
      one["Args"] = ["-c", "true"];
    },
  ],
  [
    "a mount more",
    (one) => {
      (one["Mounts"] as object[]).push({
        Type: "volume",
        Source: "/v",
        Destination: "/v",
        RW: true,
      });
    },
  ],
  [
    "a mount less",
    (one) => {
      (one["Mounts"] as object[]).pop();
    },
  ],
  [
    "a mount that can be written",
    (one) => {
      for (const mount of one["Mounts"] as { RW: boolean }[]) mount.RW = true;
    },
  ],
  [
    "no labels of ours",
    (one) => {
      one.Config["Labels"] = {};
    },
  ],
])("a container with %s is refused", (_what, change) => {
  expect(() => assertContainer(changed(change), plan)).toThrow(
    /did not make the container of t as asked/,
  );
});

test("an answer that is no description of a container is refused", () => {
  expect(() => assertContainer({}, plan)).toThrow(/does not say what it made/);
});
