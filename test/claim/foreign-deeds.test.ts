import { expect, test } from "vitest";
import { saidWork } from "../../src/claim/index.ts";
import { expectLinear } from "../cost-growth.ts";

const files = (text: string): string[] =>
  saidWork(text).flatMap((one) => (one.kind === "file" ? [`${one.how} ${one.path}`] : []));

test.each([
  [
    "Ich habe `src/a.js` angelegt und `src/b.js` angepasst.",
    ["added src/a.js", "modified src/b.js"],
  ],
  ["`src/a.js` wurde gelöscht.", ["deleted src/a.js"]],
  ["Ich habe die Datei `src/a.js` erstellt.", ["added src/a.js"]],
  ["Ich habe `src/a.js` und `src/b.js` geändert.", ["modified src/a.js", "modified src/b.js"]],
  ["Ich habe `zod` in `package.json` ergänzt.", ["modified package.json"]],
  ["`src/a.js` wurde in `src/b.js` umbenannt.", ["deleted src/a.js", "added src/b.js"]],
  ["J'ai supprimé `src/a.js`.", ["deleted src/a.js"]],
  ["J'ai créé le fichier `src/a.js` avec la classe `A`.", ["added src/a.js"]],
  ["J'ai corrigé `parse` dans `src/a.js`.", ["modified src/a.js"]],
  ["J'ai corrigé le bug dans `src/a.js`.", ["modified src/a.js"]],
  ["J'ai mis à jour `README.md`.", ["modified README.md"]],
  ["`src/a.js` a été supprimé.", ["deleted src/a.js"]],
  ["J'ai renommé `src/a.js` en `src/b.js`.", ["deleted src/a.js", "added src/b.js"]],
  ["He eliminado `src/a.js` y he creado `docs/b.md`.", ["added docs/b.md", "deleted src/a.js"]],
  ["Actualicé `config/a.json`.", ["modified config/a.json"]],
  ["También añadí `zod` a `package.json`.", ["modified package.json"]],
  ["我已更新 `src/a.js`。", ["modified src/a.js"]],
  ["已删除 `src/a.js`,并新增了 `src/b.js`。", ["added src/b.js", "deleted src/a.js"]],
  ["已在 `src/a.js` 中添加 `run()`。", ["modified src/a.js"]],
  ["已将 `src/a.js` 重命名为 `src/b.js`。", ["deleted src/a.js", "added src/b.js"]],
  ["`src/a.js` を作成しました。", ["added src/a.js"]],
  ["`src/a.js` を削除し、`docs/b.md` を更新しました。", ["modified docs/b.md", "deleted src/a.js"]],
  ["`src/a.js` に `run()` を追加しました。", ["modified src/a.js"]],
])("what was done to files is heard in other languages: %s", (text, expected) => {
  expect(files(text).toSorted()).toEqual([...expected].toSorted());
});

test.each([
  "I see that `src/a.js` was added long ago.",
  "`src/a.js` was removed two releases ago.",
  "`src/a.js` habe ich nicht gelöscht.",
  "Falls nötig, wird `src/a.js` gelöscht.",
  "`src/a.js` könnte man löschen.",
  "Ich habe Tests in `src/a.js` gelesen.",
  "`src/a.js` hatte jemand gelöscht.",
  "Ich habe die Tests für `src/a.js` erweitert.",
  "Der Aufruf aus `src/a.js` wurde entfernt.",
  "Vorschlag: `src/a.js` angelegt, dann geprüft.",
  "Je n'ai pas supprimé `src/a.js`.",
  "Il faudrait créer `src/a.js`.",
  "J'ai ajouté un test pour `src/a.js`.",
  "`src/a.js` a été créé par le script.",
  "No he eliminado `src/a.js`.",
  "Podrías añadir `zod` a `package.json`.",
  "Se puede eliminar `src/a.js`.",
  "我没有删除 `src/a.js`。",
  "建议:创建 `src/a.js`,然后运行 `npm test`。",
  "如果需要,可以删除 `src/a.js`。",
  "`src/a.js` は削除していません。",
  "`src/a.js` を作成してください。",
  "`src/a.js` を削除できます。",
])("and what is denied, wished for or said of something else is not: %s", (text) => {
  expect(files(text)).toEqual([]);
});

test("words without an end are read in time", () => {
  for (const unit of [
    "`src/a.js` und ",
    "已删除 `src/a.js`,",
    "`a.js` を",
    "J'ai supprimé `a.js`, ",
  ]) {
    expectLinear((times) => saidWork(unit.repeat(1_000 * times)));
  }
});
