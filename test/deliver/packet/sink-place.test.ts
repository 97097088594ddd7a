import { expect, test } from "vitest";
import { sinkPlace } from "../../../src/deliver/packet/index.ts";
import { ListedSink } from "../../../src/schema/config.ts";

const of = (url: string, is?: string) =>
  sinkPlace(ListedSink.parse({ kind: "https", url, ...(is ? { is } : {}) }), "");

test("a store is what its list calls it", () => {
  const url = "https://artifacts.example.org:8443/team/results";
  expect(of(url)).toEqual({ sink: "artifact-store", destination: url });
  expect(of(url, "vcs-release").sink).toBe("vcs-release");
  expect(of(url, "chat-webhook").sink).toBe("chat-webhook");
});

test.each([
  ["https://hooks.slack.com/services/T0/B0/abc", "chat-webhook"],
  ["https://HOOKS.slack.com./services/T0/B0/abc", "chat-webhook"],
  ["https://discord.com/api/webhooks/1/abc", "chat-webhook"],
  ["https://team.webhook.office.com/x", "chat-webhook"],
  ["https://chat.example.org/hooks/abc", "chat-webhook"],
  ["https://pastebin.com/api", "pastebin"],
  ["https://gist.github.com/someone", "pastebin"],
  ["https://transfer.sh", "pastebin"],
  ["mailto:someone@example.org", "smtp"],
  ["smtps://mail.example.org", "smtp"],
  ["ssh://git@example.org/someone/repo", "personal-remote"],
  ["https://example.org/someone/repo.git", "personal-remote"],
  ["https://example.org/someone/repo.git/info/lfs", "personal-remote"],
  ["https://someone:pass@example.org/", "personal-remote"],
  ["https://www.dropbox.com/home", "personal-remote"],
  ["http://artifacts.example.org/", "arbitrary-url"],
  ["ftp://artifacts.example.org/", "arbitrary-url"],
  ["https://artifacts.example.org/?sig=abc", "arbitrary-url"],
  ["https://artifacts.example.org/#a", "arbitrary-url"],
  ["nonsense", "arbitrary-url"],
])("%s is a %s, even when its list calls it a store", (url, sink) => {
  const place = of(url, "artifact-store");
  expect(place.sink).toBe(sink);
  expect(place.destination).not.toMatch(/abc|pass|someone/);
});
