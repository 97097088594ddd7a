import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { canonicalize, type Json, sha256Hex } from "../../../src/base/index.ts";
import { projectName } from "../../../src/flow/address/project-name.ts";
import { resolveAddress } from "../../../src/flow/address/resolve-address.ts";
import { resolveFile } from "../../../src/flow/address/resolve-file.ts";
import { signedEntries } from "../../../src/flow/address/signed-entries.ts";
import type { Place } from "../../../src/flow/place.ts";
import { OPERATOR } from "../../../src/flow/talk/bus.ts";
import { addFact } from "../../../src/flow/talk/facts.ts";
import { post } from "../../../src/flow/talk/post.ts";
import { Repository } from "../../../src/repo/index.ts";
import { type Address, isImmutable, parseAddress } from "../../../src/schema/address.ts";
import { GitFolder } from "../../repo/git-folder.ts";
import { LEAD, NIA, opened, said, talkAbout, talkPlace } from "../talk/scene.ts";

function addressOf(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(parsed.wrong);
  return parsed.address;
}

const find = (place: Place, text: string) => resolveAddress(place, addressOf(text));
const seqs = (place: Place, text: string) => find(place, text).map(({ entry }) => entry.seq);

/** A task with three messages by nia, one by a person, and a fact. */
async function talked() {
  const on = await talkAbout();
  const own = `any:any@${projectName(on.place)}:login`;
  const first = said(await post(on, NIA, { text: "one" })).seq;
  said(await post(on, NIA, { text: "two" }));
  said(await post(on, OPERATOR, { text: "from a person" }));
  const third = said(await post(on, NIA, { text: "three" })).seq;
  const fact = said(await addFact(on, LEAD, { title: "Port", text: "It is 8080." })).seq;
  return { on, place: on.place, own, first, third, fact };
}

test("latest, first, back, forward and by number pick among what fits", async () => {
  const { place, own, first, third, fact } = await talked();
  const nia = own.replace("any:any", "nia:any");
  expect(seqs(place, `ucxl://${own}/*^`)).toEqual([fact]);
  expect(seqs(place, `ucxl://${own}/*~`)).toEqual([0]);
  expect(seqs(place, `ucxl://${nia}/*^/message`)).toEqual([third]);
  expect(seqs(place, `ucxl://${nia}/*~/message`)).toEqual([first]);
  expect(seqs(place, `ucxl://${nia}/~~1/message`)).toEqual([first + 1]);
  expect(seqs(place, `ucxl://${nia}/^^2/message`)).toEqual([third]);
  expect(seqs(place, `ucxl://${own}/*~${third}`)).toEqual([third]);
  expect(seqs(place, `ucxl://${own}/*^/message/MSG-${first}`)).toEqual([first]);
  expect(seqs(place, `ucxl://any:planner@any:any/*^/fact/port`)).toEqual([fact]);
  for (const none of ["~~3/message", "^^3/message", "*^/fact/ports", "*^/fact/port/x", "*~999"]) {
    expect(() => find(place, `ucxl://${nia}/${none}`), none).toThrow(/nothing is recorded at/);
  }
});

test("a moment names what was the last one then", async () => {
  const { place, own, fact } = await talked();
  const [{ entry } = { entry: undefined }] = find(place, `ucxl://${own}/*^/fact/port`);
  expect(seqs(place, `ucxl://${own}/2999-01-01T00:00:00Z`)).toEqual([fact]);
  expect(seqs(place, `ucxl://${own}/${entry?.at}/fact`)).toEqual([fact]);
  expect(() => find(place, `ucxl://${own}/2000-01-01T00:00:00Z`)).toThrow(/nothing is recorded/);
  // Another project, a query and a file are no questions for a record.
  expect(() => find(place, "ucxl://any:any@elsewhere:login/*^")).toThrow(/this project is/);
  expect(() => find(place, "ucxl://any:any@any:login/*^?all=1")).toThrow(/nothing here answers/);
  expect(() => find(place, `ucxl://any:any@any:login/git:${"0".repeat(40)}`)).toThrow(/has files/);
});

test("whatever is found is told by a fixed address, which goes on to name that very entry", async () => {
  const { on, place, own, first } = await talked();
  const [found] = find(place, `ucxl://${own}/*~${first}`);
  const fixed = found?.address ?? "";
  expect(isImmutable(addressOf(fixed))).toBe(true);
  expect(fixed).toContain(`/sha256:${found?.digest}/message/MSG-${first}`);
  said(await post(on, NIA, { text: "more" }));
  expect(find(place, fixed)).toEqual([found]);
  const other = fixed.replace(/sha256:../, "sha256:00");
  expect(() => find(place, other)).toThrow(/nothing is recorded/);
});

test("every entry can be named and found again, by the hash of its stored line", async () => {
  const { place, on, own } = await talked();
  for (const { entry, digest } of signedEntries(place, on.trace)) {
    const [found] = find(place, `ucxl://${own}/*~${entry.seq}`);
    expect(found?.digest).toBe(digest);
    expect(digest).toBe(sha256Hex(canonicalize(entry as unknown as Json)));
    expect(find(place, found?.address ?? "")).toEqual([found]);
  }
});

test("any task names one thing in each trace, and a trace's id that trace alone", async () => {
  const place = talkPlace();
  const on = await opened({ place, task: "login" });
  const other = await opened({ place, task: "logout" });
  expect(seqs(place, "ucxl://any:any@any:any/*~")).toEqual([0, 0]);
  expect(find(place, `ucxl://any:any@any:${other.trace}/*~`)).toMatchObject([
    { trace: other.trace },
  ]);
  expect(find(place, "ucxl://any:any@any:login/*~")).toMatchObject([{ trace: on.trace }]);
  expect(() => find(place, `ucxl://any:any@any:${"trace_01J00000000000000000000000"}/*^`)).toThrow(
    /there is no trace/,
  );
});

test("bytes that an entry carries are named by its artifact, and held against their hash", async () => {
  const on = await talkAbout();
  const text = "a long text ".repeat(9_000);
  said(await post(on, NIA, { text }));
  const [entry] = find(on.place, "ucxl://nia:any@any:login/*^/message");
  const name = entry?.entry.artifacts[0]?.name ?? entry?.entry.artifacts[0]?.hash;
  const [found] = find(on.place, `ucxl://nia:any@any:login/*^/message/artifact/${name}`);
  expect(found?.artifact).toBe(sha256Hex(text));
  expect(found?.address).toMatch(/\/sha256:[0-9a-f]{64}\/message\/MSG-\d+\/artifact\//);
});

test("an entry that was changed afterwards is not given, even the last one, which no other binds", async () => {
  const { place, on, own } = await talked();
  on.close();
  const database = new DatabaseSync(place.ledgerPath(on.trace));
  database.exec("UPDATE entry SET line = replace(line, 'It is 8080.', 'It is 8081.')");
  database.close();
  expect(() => find(place, `ucxl://${own}/*~/message`)).toThrow(/not the ones the last checkpoint/);
});

test("a file is named by its commit, and found there whatever comes later", async () => {
  const git = new GitFolder();
  const commit = git.commit({ "docs/spec.md": "# Spec\n\nSHOP-PAY-001: money is counted\nlast\n" });
  git.commit({ "docs/spec.md": "gone\n" });
  const repository = await Repository.open(git.path, { env: git.env });
  try {
    const file = (text: string) => resolveFile(repository, addressOf(text), "shop");
    const at = `ucxl://any:any@shop:any/git:${commit}/file/docs/spec.md`;
    expect(await file(`${at}#SHOP-PAY-001`)).toMatchObject({
      text: "SHOP-PAY-001: money is counted",
      address: `${at}#SHOP-PAY-001`,
    });
    expect((await file(`${at}#L3-L4`)).text).toBe("SHOP-PAY-001: money is counted\nlast");
    const now = await file("ucxl://any:any@shop:any/*^/file/docs/spec.md");
    expect(now.text).toBe("gone\n");
    expect(now.address).toContain(`/git:${now.commit}/`);
    await expect(file(`${at}#SHOP-PAY-002`)).rejects.toThrow(/has nothing at/);
    await expect(file(at.replace("spec.md", "none.md"))).rejects.toThrow(/has no file/);
    await expect(file(at.replace(/git:[0-9a-f]+/, "~~1"))).rejects.toThrow(/by its commit/);
  } finally {
    repository.close();
  }
});
