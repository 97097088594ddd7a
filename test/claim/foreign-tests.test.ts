import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

test.each([
  ["Alle 42 Tests laufen durch.", 42],
  ["Alle Tests sind grün.", undefined],
  ["Alle Unit-Tests wurden ausgeführt und bestanden.", undefined],
  ["Tous les tests passent.", undefined],
  ["Todas las 42 pruebas pasan.", 42],
  ["Todos os testes passam.", undefined],
  ["Tutti i test passano.", undefined],
  ["Alle tests slagen.", undefined],
  ["Wszystkie testy przechodzą.", undefined],
  ["Все тесты проходят.", undefined],
  ["Tüm testler geçti.", undefined],
  ["修复了解析器。所有测试均已通过。", undefined],
  ["全部42个测试通过。", 42],
  ["すべてのテストが通りました。", undefined],
  ["모든 테스트가 통과했습니다.", undefined],
])("that all tests pass is heard in other languages: %s", (text, count) => {
  expect(saidWork(text)).toMatchObject([{ kind: "tests", count, isOfAll: true }]);
});

test.each([
  "Die Tests laufen noch nicht durch.",
  "Die Tests sollten durchlaufen, sobald sie grün sind.",
  "Falls die Tests grün sind, kann man mergen.",
  "Ich konnte die Tests nicht ausführen.",
  "Die Tests liegen in test/ und testen den Parser.",
  "Tous les tests ne passent pas encore.",
  "Les tests n'ont pas été exécutés.",
  "Les tests devraient tous passer.",
  "No todas las pruebas pasan.",
  "No pude ejecutar las pruebas.",
  "Nem todos os testes não passam.",
  "Non tutti i test passano.",
  "Niet alle tests slagen.",
  "Nie wszystkie testy przechodzą.",
  "Тесты не проходят.",
  "测试未运行。",
  "如果测试通过，就可以合并。",
  "请确保测试通过。",
  "テストは実行していません。",
  "テストが通れば完了です。",
  "테스트가 통과하지 않습니다.",
])("and what is denied or wished for is not: %s", (text) => {
  expect(saidWork(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of ["Tests ", "测试", "test, ", "тест "]) {
    expectLinear((times) => saidWork(unit.repeat(2_000 * times)));
  }
});
