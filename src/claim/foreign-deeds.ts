import { type FileDeed, isFile, withinTree } from "./file-deeds.ts";
import { NOT_DONE, SENTENCES, type Tongue, word } from "./foreign-words.ts";

type How = FileDeed["how"];

/** How a language says what was done to a file. */
interface Forms {
  /** Each with the file in its first group, or a list of files; what else is quoted in it does not count. */
  readonly whole: Readonly<Record<How, readonly RegExp[]>>;
  /** Something in the file was made, changed or taken away. */
  readonly part: readonly RegExp[];
  /** The old name, and the new one. */
  readonly moved: readonly RegExp[];
  readonly not: RegExp;
}

const CODE = String.raw`\x60[^\x60\n]{1,300}\x60`;
const ONE = String.raw`\x60([^\x60\n]{1,300})\x60`;
const QUOTED = new RegExp(ONE, "gu");
const files = (and: string): string => `(${CODE}(?:(?:${and})${CODE}){0,9})`;
const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "giu");

/** Somebody else did it, or something did. */
const BY_OTHERS = String.raw`(?!\s(?:von|vom|durch|beim|par|por|del?|du)\s)`;

interface Words {
  readonly added: string;
  readonly modified: string;
  readonly deleted: string;
}

/** A language in which the verb stands in front of what it is about: "J'ai supprimé `a.js`". */
function inFront(
  tongue: Tongue,
  {
    verbs,
    and,
    article,
    into,
    passive,
    nouns,
    moved,
  }: {
    readonly verbs: Words;
    readonly and: string;
    readonly article: string;
    readonly into: string;
    readonly passive: string;
    /** What a file is called beside its name. */
    readonly nouns: string;
    readonly moved: readonly string[];
  },
): Forms {
  const list = files(and);
  const whole = (verb: string): RegExp[] => [
    form(
      word(verb),
      String.raw`\s(?:(?:${article})\s(?:${nouns}\s)?)?`,
      list,
      BY_OTHERS,
      String.raw`(?!\s(?:${into})\s(?:(?:${article})\s)?(?:\p{L}{1,20}\s)?\x60)`,
    ),
    form(list, String.raw`\s(?:${passive})\s`, word(verb), BY_OTHERS),
  ];
  const any = [verbs.added, verbs.modified, verbs.deleted].join("|");
  const here = String.raw`\s(?:${into})\s(?:(?:${article})\s(?:\p{L}{1,20}\s)?)?${ONE}`;
  return {
    whole: {
      added: whole(verbs.added),
      modified: whole(verbs.modified),
      deleted: whole(verbs.deleted),
    },
    part: [
      form(word(any), String.raw`\s(?:(?:${article})\s(?:\p{L}{1,20}\s){1,2})?${CODE}`, here),
      form(word(any), String.raw`\s(?:(?:${article})\s|l['’])\p{L}{1,20}`, here),
    ],
    moved: moved.map((one) => form(one)),
    not: new RegExp(NOT_DONE[tongue], "iu"),
  };
}

const GERMAN_LIST = files(String.raw`,\s|,?\s(?:und|sowie)\s(?:die\sDatei\s)?`);
const GERMAN_THEN = String.raw`\s(?:(?:wurden?|ist|sind|auch|neu|komplett|entsprechend|ebenfalls|jetzt|nun|daher)\s){0,3}`;
const german = (verb: string): RegExp[] => [
  // In front of it stands what makes the file only a place: "in `a.js`".
  form(
    String.raw`(?<!(?<!\p{L})(?:in|im|an|aus|zu|zum|zur|von|vom|für|mit|über|nach|auf|bei|der\sDatei|den\sImport|Datei)\s)`,
    GERMAN_LIST,
    GERMAN_THEN,
    word(verb),
    BY_OTHERS,
  ),
  form(
    String.raw`(?<!\p{L})(?:die|eine|eine\sneue|neue)\s(?:Datei|Testdatei|Module|Skripte|Dateien)\s`,
    ...[GERMAN_LIST, GERMAN_THEN, word(verb), BY_OTHERS],
  ),
];
const GERMAN = {
  added: "erstellt|angelegt|hinzugefügt|neu geschrieben|ergänzt",
  modified:
    "geändert|angepasst|aktualisiert|bearbeitet|korrigiert|überarbeitet|erweitert|umgeschrieben",
  deleted: "gelöscht|entfernt",
};
const CHINESE = {
  added: "创建|新建|新增|添加|增加",
  modified: "更新|修改|编辑|重构|调整|改写",
  deleted: "删除|移除",
};
const CHINESE_LIST = files(String.raw`\s?[、,，和及与]\s?`);
const chinese = (verb: string): RegExp[] => [
  form(
    String.raw`(?:已(?:经|被)?\s?(?:${verb})了?|(?:${verb})了)(?:新)?(?:文件)?\s?`,
    CHINESE_LIST,
    "(?!\\s?(?:中|里|内|的|文件中))",
  ),
  form(
    String.raw`(?:将|把)(?:文件)?\s?`,
    CHINESE_LIST,
    String.raw`\s?(?:文件)?(?:${verb})了?(?=\s*(?:$|[,，。]))`,
  ),
  form(CHINESE_LIST, String.raw`\s?(?:文件)?已(?:经|被)?(?:${verb})`),
];
const JAPANESE = {
  added: "作成|新規作成|追加|新規追加",
  modified: "更新|変更|修正|編集|改修",
  deleted: "削除|除去",
};
const JAPANESE_LIST = files(String.raw`\s?(?:、|と|および|及び)\s?`);
const JAPANESE_DONE = "(?:し(?:ました|た|、|て、|、?また)|済み)";
const japanese = (verb: string): RegExp[] => [
  form(
    JAPANESE_LIST,
    String.raw`\s?(?:ファイル)?を(?:新規に|新しく|新たに)?(?:${verb})${JAPANESE_DONE}`,
  ),
];
const anyOf = ({ added, modified, deleted }: Words): string => [added, modified, deleted].join("|");
const each = (forms: (verb: string) => RegExp[], verbs: Words): Forms["whole"] => ({
  added: forms(verbs.added),
  modified: forms(verbs.modified),
  deleted: forms(verbs.deleted),
});

const TONGUES: Readonly<Record<Tongue, Forms>> = {
  de: {
    whole: each(german, GERMAN),
    part: [
      form(
        String.raw`${CODE}\s(?:in|zu|aus|im|zur)\s(?:der\s(?:Datei\s)?)?`,
        ...[ONE, GERMAN_THEN, word(anyOf(GERMAN))],
      ),
    ],
    moved: [
      form(
        ONE,
        String.raw`\s(?:(?:wurde|ist|nun|jetzt)\s){0,2}(?:in|zu|nach)\s`,
        ...[ONE, String.raw`\s(?:umbenannt|verschoben)`],
      ),
    ],
    not: new RegExp(NOT_DONE.de, "iu"),
  },
  fr: inFront("fr", {
    verbs: {
      added: "créée?s?|ajoutée?s?",
      modified: "modifiée?s?|corrigée?s?|mise?s? à jour|adaptée?s?|réécrite?s?|actualisée?s?",
      deleted: "supprimée?s?|effacée?s?",
    },
    and: String.raw`,\s|\set\s`,
    article: "le|la|les|un|une|des",
    into: "à|au|dans|de|du|en|vers",
    passive: "(?:a|ont) été",
    nouns: String.raw`(?:nouveaux?\s|nouvelles?\s|anciens?\s)?(?:fichiers?|modules?|scripts?|composants?|documents?|pages?)(?:\sde\stests?)?`,
    moved: [
      String.raw`(?:renommé|déplacé)\s(?:le\s(?:fichier\s)?)?${ONE}\s(?:en|vers|dans)\s${ONE}`,
    ],
  }),
  es: inFront("es", {
    verbs: {
      added: "cread[oa]s?|creé|añadid[oa]s?|añadí|agregad[oa]s?|agregué|creó|añadió",
      modified:
        "actualizad[oa]s?|actualicé|modificad[oa]s?|modifiqué|corregid[oa]s?|corregí|cambiad[oa]s?|cambié|editad[oa]s?|edité|actualizó|modificó",
      deleted: "eliminad[oa]s?|eliminé|borrad[oa]s?|borré|eliminó|borró",
    },
    and: String.raw`,\s|\s[ye]\s`,
    article: "el|la|los|las|un|una|unos|unas",
    into: "a|al|en|de|del",
    passive: "(?:ha sido|han sido|fue|fueron)",
    nouns: String.raw`(?:nuev[oa]s?\s|antigu[oa]s?\s)?(?:archivos?|ficheros?|módulos?|scripts?|componentes?|documentos?)(?:\sde\spruebas?)?`,
    moved: [
      String.raw`(?:renombrado|renombré|movido|moví)\s(?:el\s(?:archivo\s)?)?${ONE}\s(?:a|como|en)\s${ONE}`,
    ],
  }),
  zh: {
    whole: each(chinese, CHINESE),
    part: [
      form(String.raw`已(?:经)?在\s?${ONE}\s?(?:文件)?(?:中|里|内)?\s?(?:${anyOf(CHINESE)})`),
      form(String.raw`(?:修复|修正|修改|更新)了?\s?${ONE}\s?(?:文件)?(?:中|里|内)的\s?${CODE}`),
    ],
    moved: [
      form(
        String.raw`(?:已(?:经)?)?(?:将|把)\s?${ONE}\s?(?:重命名|改名|移动|移)(?:为|到|成|至)了?\s?${ONE}`,
      ),
    ],
    not: new RegExp(NOT_DONE.zh, "iu"),
  },
  ja: {
    whole: each(japanese, JAPANESE),
    part: [
      form(String.raw`${ONE}\s?(?:に|の)\s?${CODE}\s?を(?:${anyOf(JAPANESE)})${JAPANESE_DONE}`),
    ],
    moved: [
      form(
        String.raw`${ONE}\s?を\s?${ONE}\s?(?:に|へ)(?:リネーム|改名|名前を変更|移動|変更)${JAPANESE_DONE}`,
      ),
    ],
    not: new RegExp(NOT_DONE.ja, "iu"),
  },
};
/** Each needs one of these; forms are costly to make ready. */
const MAY_SAY =
  /stellt|angelegt|fügt|ergänzt|schrieben|ändert|passt|aktuali|arbeitet|korrig|weitert|gelöscht|entfernt|umbenannt|verschoben|créé|ajout|modifi|modific|actuali|correg|corrig|mise?s? à jour|adapt|réécri|supprim|effac|renomm|déplac|cread|creé|creó|añad|agreg|cambi|edit|elimin|borr|renombr|mov|建|增|加|更新|改|编|调|命名|删|移|成|追|更|正|除/iu;

/** What a sentence in another language than English says was done to files, as far as it says so plainly. */
export function foreignDeeds(sentence: string, tree?: string): FileDeed[] {
  if (!sentence.includes("`") || !MAY_SAY.test(sentence)) return [];
  const deeds = partsOf(sentence).flatMap((part) =>
    Object.values(TONGUES).flatMap((forms) => deedsBy(forms, part)),
  );
  const named = deeds.flatMap((deed) => {
    const path = withinTree(deed.path.trim(), tree).replace(/^\.\//, "");
    return isFile(path) ? [{ ...deed, path }] : [];
  });
  return [...new Map(named.map((one) => [one.path, one])).values()];
}

/** Code holds points and marks of its own, which end nothing. */
function partsOf(sentence: string): string[] {
  const codes = sentence.match(QUOTED) ?? [];
  let at = 0;
  return sentence
    .replace(QUOTED, "`\u0000`")
    .split(SENTENCES)
    .map((part) => part.replaceAll("`\u0000`", () => codes[at++] ?? ""));
}

function deedsBy({ whole, part, moved, not }: Forms, sentence: string): FileDeed[] {
  if (not.test(sentence.replace(QUOTED, "`x`"))) return [];
  const moves = moved.flatMap((one) => [...sentence.matchAll(one)]);
  const done = (["added", "modified", "deleted"] as const).flatMap((how) =>
    whole[how].flatMap((one) =>
      [...sentence.matchAll(one)].flatMap(([, list = ""]) =>
        [...list.matchAll(QUOTED)].map(([, path = ""]) => ({ path, how })),
      ),
    ),
  );
  const inside = part.flatMap((one) =>
    [...sentence.matchAll(one)].map(
      ([, path = ""]) => ({ path, how: "modified", isPart: true }) as const,
    ),
  );
  return [
    ...inside.filter(({ path }) => !done.some((one) => one.path === path)),
    ...done,
    ...moves.flatMap(([, from = "", to = ""]) => [
      { path: from, how: "deleted" as const },
      { path: to, how: "added" as const },
    ]),
  ];
}
