import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

const said = (text: string): string[] =>
  saidWork(text).flatMap((one) =>
    one.kind === "check" ? [one.check] : one.kind === "command" ? [one.command] : [],
  );

test.each([
  ["Die Typprüfung läuft fehlerfrei.", ["type check"]],
  ["Der Linter meldet keine Fehler.", ["linter"]],
  ["Der Build ist erfolgreich.", ["build"]],
  ["Ich habe die Tests ausgeführt.", ["test run"]],
  ["Die Änderungen sind gepusht.", ["push"]],
  ["`make lint` ausgeführt.", ["make lint"]],
  ["Es kamen keine neuen Abhängigkeiten hinzu.", ["dependencies"]],
  ["La compilation réussit.", ["build"]],
  ["J'ai lancé les tests.", ["test run"]],
  ["J'ai poussé la branche.", ["push"]],
  ["La compilación pasa sin errores.", ["build"]],
  ["Ejecuté las pruebas.", ["test run"]],
  ["类型检查通过。", ["type check"]],
  ["已运行 `make lint`。", ["make lint"]],
  ["已运行所有测试。", ["test run"]],
  ["ビルドも成功しました。", ["build"]],
  ["テストを実行しました。", ["test run"]],
  ["`make lint` を実行しました。", ["make lint"]],
])("what was run, or went well, is heard in other languages: %s", (text, expected) => {
  expect(said(text)).toEqual(expected);
});

test.each([
  "Die Typprüfung habe ich nicht ausgeführt.",
  "Der Linter läuft erst, wenn der Build erfolgreich ist.",
  "Ich konnte die Tests nicht ausführen.",
  "Je n'ai pas lancé la compilation.",
  "La compilation devrait réussir.",
  "No he ejecutado las pruebas.",
  "La compilación falla.",
  "没有运行测试。",
  "请确保构建成功。",
  "テストは実行していません。",
  "ビルドが成功すれば完了です。",
])("and what is denied or wished for is not: %s", (text) => {
  expect(said(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["Der Build ", "类型检查", "J'ai lancé les ", "テストを"]) {
    expectLinear((times) => saidWork(unit.repeat(1_000 * times)));
  }
});
