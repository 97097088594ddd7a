import { join } from "node:path";
import { expect, test } from "vitest";
import { relayCommand, trustEnvironment } from "../../src/egress/index.ts";
import { openInside, pullsThrough } from "./inside.ts";
import { run } from "./relay.ts";

test("curl trusts the run's authority and nobody else", async () => {
  const { folder, env, origin, log } = await openInside();
  const fetched = await run("curl", ["-sS", `${origin}/left-pad`], folder, env);
  expect(fetched).toEqual({ code: 0, output: "hello" });
  const without = { ...env, CURL_CA_BUNDLE: "", SSL_CERT_FILE: "" };
  expect((await run("curl", ["-sS", `${origin}/left-pad`], folder, without)).code).not.toBe(0);
  expect(log).toMatchObject([{ verdict: "allowed" }, { verdict: "refused", rule: "tls" }]);
});

test("the relay works as well with socat where that is what the inside has", async () => {
  const { folder, env, origin } = await openInside({}, "socat");
  const fetched = await run("curl", ["-sS", `${origin}/left-pad`], folder, env);
  expect(fetched).toEqual({ code: 0, output: "hello" });
});

test("python's own client gets through, also by the older form of CONNECT", async () => {
  const { folder, env, origin } = await openInside();
  const script = "import sys, urllib.request as r; print(r.urlopen(sys.argv[1]).read().decode())";
  const fetched = await run("python3", ["-c", script, `${origin}/left-pad`], folder, env);
  expect(fetched).toEqual({ code: 0, output: "hello\n" });
});

test("git lists a repository by its plain protocol, and cannot begin a push", async () => {
  const id = "1".repeat(40);
  const { folder, env, origin, log } = await openInside({
    rules: [
      {
        name: "git",
        paths: ["/team/repo.git/info/refs", "/team/repo.git/HEAD"],
        queries: ["service=git-upload-pack"],
      },
    ],
    answer: (request, response) =>
      response.end(
        request.url?.endsWith("/HEAD") ? "ref: refs/heads/main\n" : `${id}\trefs/heads/main\n`,
      ),
  });
  const url = `${origin}/team/repo.git`;
  const listed = await run("git", ["ls-remote", url], folder, env);
  expect(listed.output).toContain(`${id}\trefs/heads/main`);
  await run("git", ["init", "-q", "work"], folder, env);
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  const work = join(folder, "work");
  await run("git", [...author, "commit", "-q", "--allow-empty", "-m", "x"], work, env);
  const pushed = await run("git", ["push", url, "HEAD:refs/heads/main"], work, env);
  expect(pushed.code).not.toBe(0);
  expect(log.at(-1)).toMatchObject({ verdict: "refused", rule: "path-not-listed" });
});

test.each(["npm", "git", "apt"] as const)(
  "%s gets a package from a registry through the proxy, by the user's own settings",
  (kind) => pullsThrough(kind),
);

test("every program is told of the authority and of the proxy, and npm of no more than packages", () => {
  const { env, files } = trustEnvironment("/run/sworn/ca.pem", 8_123);
  for (const name of [
    "SSL_CERT_FILE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "NODE_EXTRA_CA_CERTS",
    "npm_config_cafile",
    "PIP_CERT",
    "REQUESTS_CA_BUNDLE",
    "CARGO_HTTP_CAINFO",
  ]) {
    expect([name, env[name]]).toEqual([name, "/run/sworn/ca.pem"]);
  }
  for (const name of ["https_proxy", "HTTPS_PROXY", "npm_config_https_proxy", "CARGO_HTTP_PROXY"]) {
    expect([name, env[name]]).toEqual([name, "http://127.0.0.1:8123"]);
  }
  expect(env["npm_config_audit"]).toBe("false");
  expect(env["APT_CONFIG"]).toBe("/run/sworn/apt.conf");
  expect(files["/run/sworn/apt.conf"]).toContain('Acquire::https::CaInfo "/run/sworn/ca.pem";');
});

test("a path that socat would read as options makes no command", () => {
  expect(() => relayCommand("socat", "/a,fork/b", 1)).toThrow(/reads other characters/);
  expect(relayCommand("node", "/a,fork/b", 1).slice(-2)).toEqual(["/a,fork/b", "1"]);
});
