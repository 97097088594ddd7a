/** The languages in which more is heard than that tests pass, each with the letters around its words. */
export type Tongue = "de" | "fr" | "es" | "zh" | "ja";

/** Words by themselves, in a script that puts spaces between them. */
export const word = (words: string): string => String.raw`(?<!\p{L})(?:${words})(?!\p{L})`;
export const begins = (words: string): string => String.raw`(?<!\p{L})(?:${words})`;

/** What denies a sentence, or makes it a wish or a condition. */
export const NOT: Readonly<Record<Tongue, string>> = {
  de: begins(
    "nicht|kein|wenn|falls|soll|müss|muss|würd|fehl|rot|ob|bitte|damit|nachdem|sobald|bevor|ohne",
  ),
  fr: `${word("ne|pas|si|doivent|devraient|devrait|quand|lorsque|pour que|aucun|sans|sauf|avant")}|n['’]|échou`,
  es: `${word("no|si|cuando|ning\\p{L}+|sin|salvo|antes|para que")}|deb[eí]|fall`,
  zh: "未|没|不|如果|若|应|需|失败|请|是否|(?<![删移])除|确保|之前|后再",
  ja: "ない|ません|失敗|れば|たら|べき|ください|場合|前に|ように|以外|[？?]",
};

/** What makes a deed one that was not done, was done by somebody else, or is still to be done. */
export const NOT_DONE: Readonly<Record<Tongue, string>> = {
  de: word(
    String.raw`nicht|nichts|kein\p{L}{0,3}|nie|wenn|falls|ob|bitte|damit|nachdem|sobald|bevor|ohne|statt|soll\p{L}{0,4}|müss\p{L}{0,4}|muss|würd\p{L}{0,4}|könnt?e?\p{L}{0,2}|kann|möcht\p{L}{0,3}|will|werden?|wird|hatten?|war|waren|früher|zuvor|vorher|vorschlag|option|plan|schlage`,
  ),
  fr: `${NOT.fr}|${word("peux|peut|pourrais|pourrait|pouvez|faut|faudrait|vais|va|avait|avais|était|serait|option|proposition|plan")}`,
  es: `${NOT.es}|${word("puedo|puede|podría|podrías|podemos|voy|va|había|estaba|era|sería|hay que|opción|propuesta|plan")}`,
  zh: `${NOT.zh}|可以|建议|将会|要|曾|计划|可能|吗|方案`,
  ja: `${NOT.ja}|できます|予定|以前|元々|なら|提案`,
};

/** Where a sentence ends in these languages. */
export const SENTENCES = /[。！？!?;；]+|[.](?=\s|$)/u;

const NO_FAULT: readonly (readonly [RegExp, string])[] = [
  [
    /(?<!\p{L})(?:ohne|keine|keinerlei)\s(?:fehler|probleme|warnungen|beanstandungen)(?!\p{L})|(?<!\p{L})fehlerfrei(?!\p{L})/giu,
    "sauber",
  ],
  [/(?<!\p{L})(?:sans|aucune?)\s(?:erreurs?|problèmes?|avertissements?)(?!\p{L})/giu, "proprement"],
  [
    /(?<!\p{L})(?:sin|ningún|ninguna)\s(?:errores|error|problemas?|advertencias?)(?!\p{L})/giu,
    "limpiamente",
  ],
  [/(?:没有|无|未发现)(?:任何)?(?:错误|问题|警告)/gu, "正常"],
  [/(?:エラー|問題|警告)(?:は|が|も)?(?:なし|なく|ないこと|ありません(?:でした)?)/gu, "成功"],
];

/** A sentence with a word that all is well in place of those that nothing was wrong, which deny nothing. */
export function withoutNoFault(sentence: string): string {
  return NO_FAULT.reduce((text, [form, well]) => text.replace(form, well), sentence);
}
