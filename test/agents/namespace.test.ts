import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { alone } from "./expect-agent.ts";

test("the agents run where there is nothing but loopback", () => {
  expect(Object.keys(networkInterfaces())).toEqual(["lo"]);
});

test("a stray connection fails and is counted", () => {
  const seen = alone(`
    const count = () => {
      const [names, values] = require("fs").readFileSync("/proc/net/snmp", "utf8").split("\\n");
      return Number(values.split(" ")[names.split(" ").indexOf("OutNoRoutes")]);
    };
    const before = count();
    require("net").connect(443, "192.0.2.1").once("error", ({ code }) => {
      console.log(code, count() - before);
    });
  `);
  expect(seen).toBe("ENETUNREACH 1\n");
});
