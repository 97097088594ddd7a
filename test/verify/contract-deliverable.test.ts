import { expect, test } from "vitest";
import { checkDeliverable, type DeliveredReport } from "../../src/verify/contract/index.ts";
import { verifies } from "../verifies.ts";
import { file, finding, NONCE, REPORT, row, SEAL, sealed, WARD } from "./contract-delivered.ts";

const check = (report: DeliveredReport) => checkDeliverable(WARD, file(report), NONCE);
const reasons = (report: DeliveredReport) => check(report).reasons;

test("a report in order is complete, with counts made anew", () => {
  expect(check(REPORT)).toStrictEqual({
    name: "ward",
    status: "complete",
    reasons: [],
    notes: [],
    counts: { p1: 1, p2: 1, p3: 1 },
    impact: "",
  });
});

verifies("000-33", "a file must exist and have more than 100 bytes", () => {
  expect(checkDeliverable(WARD, { kind: "missing" }, NONCE)).toStrictEqual({
    name: "ward",
    status: "missing",
    reasons: ["no file"],
    notes: [],
    counts: { p1: 0, p2: 0, p3: 0 },
    impact: "Security review: nothing was delivered",
  });
  expect(checkDeliverable(WARD, file(REPORT, "x".repeat(100)), NONCE)).toMatchObject({
    status: "missing",
    reasons: ["the file has 100 bytes, expected more than 100"],
  });
  // Bytes are meant, not letters.
  expect(checkDeliverable(WARD, file(REPORT, "ü".repeat(51)), NONCE).status).toBe("complete");
});

test("a file that could not be read is not delivered, whatever it may hold", () => {
  const delivery = { kind: "unreadable", why: "permission denied" } as const;
  expect(checkDeliverable(WARD, delivery, NONCE)).toMatchObject({
    status: "missing",
    reasons: ["could not be read: permission denied"],
  });
});

verifies(["000-13", "000-33"], "every section is there with more than 10 words", () => {
  const [first, ...rest] = REPORT.sections;
  expect(check({ ...REPORT, sections: rest })).toMatchObject({
    status: "partial",
    reasons: ["no P1 (Critical) section"],
    impact: "Security review: may be incomplete",
  });
  const thin = { title: first?.title ?? "", words: 10 };
  expect(reasons({ ...REPORT, sections: [thin, ...rest] })).toEqual([
    "P1 (Critical) has 10 words, expected more than 10",
  ]);
  expect(reasons({ ...REPORT, sections: [thin, ...REPORT.sections] })).toEqual([]);
});

test("a heading is found by its short names, but not by half of another's", () => {
  const named = (title: string) =>
    reasons({ ...REPORT, sections: [{ title, words: 20 }, ...REPORT.sections.slice(1)] });
  for (const title of [
    "P1",
    "critical",
    "p1 (CRITICAL)",
    " **P1 (Critical)** ",
    "P1  (critical):",
  ]) {
    expect(named(title), title).toEqual([]);
  }
  const long = `**P1**${" ".repeat(500)}`;
  for (const title of [long, "P3 (Critical)", "P1 (High)", "P11", "Not P1 (Critical)", "", "("]) {
    expect(named(title), title).toEqual(["no P1 (Critical) section"]);
  }
  const short = { ...WARD, required_sections: ["P1"] };
  expect(checkDeliverable(short, file(REPORT), NONCE).reasons).toEqual([]);
});

verifies("000-33", "a file without a Seal is partial, even though everything else is there", () => {
  expect(check({ ...REPORT, seal: undefined })).toMatchObject({
    status: "partial",
    reasons: ["no Seal"],
  });
  expect(reasons({ ...REPORT, seal: { problem: "confidence is 7" } })).toEqual([
    "no Seal that can be read: confidence is 7",
  ]);
});

verifies("000-10", "the Seal ends the file", () => {
  expect(reasons({ ...REPORT, seal: { seal: SEAL, isLast: false } })).toEqual([
    "something follows the Seal",
  ]);
});

test("a Seal from elsewhere does not count", () => {
  expect(reasons(sealed({ nonce: "f".repeat(32) }))).toEqual(["the Seal carries another nonce"]);
  const { nonce: _, ...bare } = SEAL;
  expect(reasons({ ...REPORT, seal: { seal: bare, isLast: true } })).toEqual([
    "the Seal carries no nonce",
  ]);
  expect(reasons({ ...REPORT, nonces: [NONCE, undefined, "f".repeat(32)] })).toEqual([
    "parts of it carry the nonce of another run",
  ]);
});

test("under a contract without a nonce, a reader is told what that means", () => {
  expect(checkDeliverable(WARD, file(sealed({ nonce: "any" })), undefined)).toMatchObject({
    status: "complete",
    notes: ["the contract has no nonce: the Seal may be anybody's"],
  });
});

verifies("000-24", "the Seal's number of findings is counted again", () => {
  expect(reasons(sealed({ findings: 7 }))).toEqual(["the Seal says 7 findings, counted 3"]);
  const unread = { ...sealed({ findings: 4 }), unread: [{}] };
  expect(reasons(unread)).toEqual(["the Seal says 4 findings, counted 3, and 1 could not be read"]);
  expect(check({ ...REPORT, unread: [{}] })).toMatchObject({
    status: "complete",
    notes: ["1 parts look like findings and could not be read"],
  });
});

verifies("000-25", "evidence is verified only when every finding quotes", () => {
  const bare = { ...finding("SEC-003", "P3"), citations: [{ file: "a.py", line: 3 }] };
  const findings = [...REPORT.findings.slice(0, 2), bare];
  expect(reasons({ ...REPORT, findings })).toEqual([
    "the Seal says all evidence is verified, 1 findings quote nothing",
  ]);
  expect(reasons({ ...sealed({ evidence_verified: false }), findings })).toEqual([]);
});

verifies(["000-27", "000-28"], "what the Seal says of the second look is what the log says", () => {
  expect(reasons(sealed({ self_review_actions: "confirmed: 2, revised: 0, deleted: 1" }))).toEqual([
    "the Seal says 2, 0, 1 confirmed, revised, deleted; the log has 1, 1, 1",
  ]);
  expect(reasons(sealed({ self_review_actions: "all fine" }))).toEqual([
    "the Seal's self_review_actions cannot be read",
  ]);
  const { self_review_actions: _, ...short } = SEAL;
  expect(reasons({ ...REPORT, seal: { seal: short, isLast: true } })).toEqual([]);
  expect(reasons({ ...REPORT, seal: { seal: short, isLast: true }, selfReview: [] })).toEqual([
    "the Seal says it was self-reviewed, nothing is logged",
    "the Self-Review Log keeps 0 findings, counted 2 P1 and P2",
  ]);
});

test("an empty log is in order where nothing had to be looked at again, and only there", () => {
  const { self_review_actions: _, ...short } = SEAL;
  const with1 = (priority: "P1" | "P3") =>
    reasons({
      ...REPORT,
      seal: { seal: { ...short, findings: 1 }, isLast: true },
      findings: [finding("SEC-001", priority)],
      selfReview: [],
    });
  expect(with1("P3")).toEqual([]);
  expect(with1("P1")).toEqual([
    "the Seal says it was self-reviewed, nothing is logged",
    "the Self-Review Log keeps 0 findings, counted 1 P1 and P2",
  ]);
});

verifies("000-19", "each P1 and P2 has its row, and what was deleted is gone", () => {
  const { self_review_actions: _, ...short } = SEAL;
  const logged = (...selfReview: DeliveredReport["selfReview"]) =>
    reasons({ ...REPORT, seal: { seal: short, isLast: true }, selfReview });
  expect(logged(row("SEC-001", "confirmed"))).toEqual([
    "the Self-Review Log keeps 1 findings, counted 2 P1 and P2",
    "not in the Self-Review Log: SEC-002",
  ]);
  expect(logged(row("SEC-001", "confirmed"), row("[SEC-001] again", "confirmed"))).toEqual([
    "not in the Self-Review Log: SEC-002",
  ]);
  expect(
    logged(
      row("SEC-001", "confirmed"),
      row("sec-002: title", "revised"),
      row("SEC-003", "deleted"),
    ),
  ).toEqual(["logged as deleted and still there: SEC-003"]);
  // By title, the rows can be counted but not matched.
  expect(logged(row("A title", "confirmed"), row("A title", "confirmed"))).toEqual([]);
  // What a deleted one doubled may stay.
  expect(
    logged(
      row("SEC-001", "confirmed"),
      row("SEC-002", "confirmed"),
      row("SEC-009, the same as SEC-001", "deleted"),
    ),
  ).toEqual([]);
});

test("ids have two to five capitals and up to six digits, and a long list of them is cut", () => {
  const { self_review_actions: _, ...short } = SEAL;
  const judged = (ids: string[]) =>
    reasons({
      ...REPORT,
      seal: { seal: { ...short, findings: ids.length }, isLast: true },
      findings: ids.map((id) => finding(id, "P1")),
      selfReview: [row("XX-0", "confirmed"), ...ids.slice(1).map((id) => row(id, "confirmed"))],
    });
  for (const id of ["AB-1", "ABCDE-123456"]) {
    expect(judged([id]), id).toEqual([`not in the Self-Review Log: ${id}`]);
  }
  for (const id of ["A-1", "ABCDEF-1", "AB-1234567", "AB-"]) expect(judged([id]), id).toEqual([]);
  const deleted = (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `AB-${index}`);
    return reasons({
      ...REPORT,
      seal: { seal: { ...short, findings: count }, isLast: true },
      findings: ids.map((id) => finding(id, "P3")),
      selfReview: ids.map((id) => row(id, "deleted")),
    });
  };
  const first = "logged as deleted and still there: AB-0, AB-1, AB-2, AB-3, AB-4";
  expect(deleted(5)).toEqual([first]);
  expect(deleted(6)).toEqual([`${first} and 1 more`]);
});
