import { expect, test } from "vitest";
import { isSameNode } from "../../src/admit/index.ts";
import { verifies } from "../verifies.ts";

verifies(
  "004-51",
  "an engine is on this machine when it is our own process or behind a local socket",
  () => {
    for (const endpoint of ["process", "/run/docker.sock", "unix:///run/user/1000/podman.sock"]) {
      expect(isSameNode({ endpoint }), endpoint).toBe(true);
    }
    for (const endpoint of [
      "",
      "tcp://127.0.0.1:2375",
      "http://localhost:2375",
      "ssh://me@host",
      "//host/pipe",
      "unix://host/run/docker.sock",
      "npipe:////./pipe/docker",
      "docker.sock",
    ]) {
      expect(isSameNode({ endpoint }), endpoint).toBe(false);
    }
  },
);

verifies("004-52", "a service of a cluster is held to this very node, or it is elsewhere", () => {
  const held = (node: string, ...constraints: string[]) =>
    isSameNode({ endpoint: "/run/docker.sock", service: { node, constraints } });
  expect(held("n1", "node.hostname == n1")).toBe(true);
  expect(held("n1", "node.role==worker", "node.hostname==n1")).toBe(true);
  expect(held("n1")).toBe(false);
  expect(held("n1", "node.hostname == n2")).toBe(false);
  expect(held("n1", "node.hostname != n1")).toBe(false);
  expect(held("", "node.hostname==")).toBe(false);
});

test("a service behind a network address is elsewhere, whatever it is held to", () => {
  const service = { node: "n1", constraints: ["node.hostname==n1"] };
  expect(isSameNode({ endpoint: "tcp://n1:2375", service })).toBe(false);
});
