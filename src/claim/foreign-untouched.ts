import { SENTENCES, word } from "./foreign-words.ts";

/** What is denied of tests, as for English: that some are gone, that they demand less, that what was there is changed. */
type Denied = "loss" | "weakening" | "change";

const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "iu");
const VERBS = {
  de: [
    ["loss", "gelöscht|entfernt"],
    ["weakening", "übersprungen|abgeschwächt|deaktiviert|ausgelassen"],
    ["change", "geändert|verändert|angefasst|angepasst|bearbeitet|angerührt"],
  ],
  fr: [
    ["loss", "supprimé|retiré"],
    ["weakening", "désactivé|ignoré|affaibli"],
    ["change", "modifié|changé|touché|adapté"],
  ],
  es: [
    ["loss", "elimin|borr"],
    ["weakening", "omit|desactiv|salt"],
    ["change", "modific|cambi|toc|alter"],
  ],
  zh: [
    ["loss", "删除|移除"],
    ["weakening", "跳过|禁用|削弱"],
    ["change", "修改|改动|更改|变更|动过|触碰"],
  ],
  ja: [
    ["loss", "削除"],
    ["weakening", "スキップ|無効化"],
    ["change", "変更|修正|編集"],
  ],
} as const;
const GERMAN_TESTS = String.raw`(?:bestehenden?\s|vorhandenen?\s|alten\s)?(?:unit-?)?(?:testdatei(?:en)?|testfälle?|tests?)`;
/** In each of these the verb stands for all that are said in its place. */
const FORMS: Readonly<Record<keyof typeof VERBS, (verb: string) => readonly RegExp[]>> = {
  de: (verb) => [
    form(
      word(String.raw`keine?r?\s${GERMAN_TESTS}`),
      String.raw`\s(?:(?:wurden?|ist|habe\sich)\s)?`,
      word(verb),
    ),
    form(
      word(GERMAN_TESTS),
      String.raw`\s(?:habe\sich|wurden?|sind|ist)\s(?:gar\s)?nicht\s`,
      word(verb),
    ),
    form(
      String.raw`(?<!\p{L})(?:wurden?|habe)\s(?:ich\s)?(?:keine?n?\s${GERMAN_TESTS}|(?:die\s)?${GERMAN_TESTS}\snicht)\s`,
      word(verb),
    ),
  ],
  fr: (verb) => [
    form(
      String.raw`n['’](?:ai|avons|a)\s(?:pas\s)?(?:été\s)?(?:${verb})e?s?\s(?:à\s)?(?:aucune?\s(?:fichier\sde\s)?|(?:aux|les|des)\s(?:fichiers\sde\s)?)tests?(?!\p{L})`,
    ),
    form(String.raw`aucun\s(?:fichier\sde\s)?test\sn['’]a\sété\s(?:${verb})(?!\p{L})`),
  ],
  es: (verb) => [
    form(
      String.raw`(?<!\p{L})no\s(?:(?:he|hemos|se|se\sha|se\shan)\s)?(?:${verb})\p{L}{1,5}\s(?:(?:ningún|ninguna|ninguno\sde|ninguna\sde|las|los|el|a)\s){1,2}(?:archivos?\sde\s)?(?:pruebas?|tests?)(?!\p{L})`,
    ),
  ],
  zh: (verb) => [form(`(?:没有|未|没)(?:${verb})(?:任何|现有|已有|原有|过)?(?:的)?测试`)],
  ja: (verb) => [
    form(
      `テスト(?:コード|ファイル|ケース)?(?:は|を|には)(?:一切|まったく|全く)?(?:${verb})してい?ません`,
    ),
  ],
};
const SAID = (Object.keys(VERBS) as (keyof typeof VERBS)[]).flatMap((tongue) =>
  VERBS[tongue].map(([denied, verb]): readonly [Denied, readonly RegExp[]] => [
    denied,
    FORMS[tongue](verb),
  ]),
);
/** A wish, a condition, or all but something. */
const NOT_SAID = form(
  word(
    String.raw`wenn|falls|sollt?e?n?|bitte|außer|bis\sauf|nur|si|sauf|doit|devrait|cuando|salvo|excepto|debe\p{L}*|mais|pero|aber`,
  ),
  "|如果|若|请|应|(?<![删移])除|但|れば|たら|ください|以外|[?？]",
);
const MAY_SAY = /test|prueba|测试|テスト/iu;

/** What a sentence in another language than English denies of tests. */
export function foreignUntouched(sentence: string): Denied | undefined {
  if (!MAY_SAY.test(sentence)) return undefined;
  const parts = sentence.split(SENTENCES).filter((part) => !NOT_SAID.test(part));
  const said = SAID.find(([, forms]) => parts.some((part) => forms.some((one) => one.test(part))));
  return said?.[0];
}
