import { NOT_DONE, SENTENCES, type Tongue, withoutNoFault, word } from "./foreign-words.ts";
import type { CheckName } from "./said-checks.ts";

const ONE = String.raw`\x60([^\x60\n]{1,300})\x60`;
const GAP = String.raw`[^,:;，、\x60]{0,40}?`;
const form = (...parts: readonly string[]): RegExp => new RegExp(parts.join(""), "iu");

interface Forms {
  readonly checks: readonly (readonly [CheckName, RegExp])[];
  /** A command that was run, in the first group. */
  readonly ran: readonly RegExp[];
  readonly not: RegExp;
}

const GERMAN_GOOD = word(
  String.raw`(?:läuft|laufen|lief|liefen)\s(?:(?:jetzt|nun|wieder|auch)\s){0,2}(?:durch|sauber|erfolgreich)|(?:ist|sind|war)\s(?:(?:jetzt|nun|wieder|auch)\s){0,2}(?:grün|sauber|erfolgreich)|erfolgreich|besteht|meldet\ssauber`,
);
const FRENCH_GOOD = word("passent?|réussi(?:t|ssent|e|es)?|fonctionne|verte?s?|proprement");
const SPANISH_GOOD = word(
  "pasan?|pasó|funciona|exitos[oa]s?|correct[oa]s?|correctamente|limpiamente",
);
const OF_COMMITS = "commit";

const TONGUES: Readonly<Record<Tongue, Forms>> = {
  de: {
    checks: [
      ["type check", form(word("typprüfung|typecheck|typen"), GAP, GERMAN_GOOD)],
      ["build", form(word("build|kompilierung|übersetzung"), GAP, GERMAN_GOOD)],
      ["linter", form(word("linter|lint|linting"), GAP, GERMAN_GOOD)],
      [
        "test run",
        form(
          String.raw`${word("tests?|testsuite|testreihe|unit-tests")}${GAP}\s(?:ausgeführt|laufen lassen|gestartet|durchgeführt)(?!\p{L})`,
        ),
      ],
      [OF_COMMITS, form(word("committet|commitet|eingecheckt"))],
      ["push", form(word("gepusht|gepushed"))],
    ],
    ran: [form(ONE, String.raw`\s(?:auch\s|erneut\s)?(?:ausgeführt|laufen lassen)(?!\p{L})`)],
    not: form(NOT_DONE.de),
  },
  fr: {
    checks: [
      ["type check", form(word("vérification des types|typage|typecheck"), GAP, FRENCH_GOOD)],
      ["build", form(word("compilation|build"), GAP, FRENCH_GOOD)],
      ["linter", form(word("linter|lint"), GAP, FRENCH_GOOD)],
      [
        "test run",
        form(
          String.raw`(?:${word("ai|avons")}\s(?:re)?(?:lancé|exécuté)\s(?:tous\s)?(?:les|la suite de)\stests?|tests?\sont\sété\s(?:re)?(?:lancés|exécutés))(?!\p{L})`,
        ),
      ],
      [OF_COMMITS, form(word("commité|committé|(?:ai|avons) fait (?:un|le) commit"))],
      ["push", form(word("(?:ai|avons) (?:poussé|pushé)|poussée?s? (?:vers|sur)"))],
    ],
    ran: [form(word("lancé|exécuté|relancé"), String.raw`\s`, ONE)],
    not: form(NOT_DONE.fr),
  },
  es: {
    checks: [
      [
        "type check",
        form(word("(?:comprobación|verificación) de tipos|tipado"), GAP, SPANISH_GOOD),
      ],
      ["build", form(word("compilación|build"), GAP, SPANISH_GOOD)],
      ["linter", form(word("linter|lint"), GAP, SPANISH_GOOD)],
      [
        "test run",
        form(
          String.raw`${word("ejecuté|he ejecutado|corrí|he corrido|lancé|se ejecutaron|hemos ejecutado")}\s(?:todas?\s|todos\s)?(?:las|los|la suite de)\s(?:pruebas|tests?)(?!\p{L})`,
        ),
      ],
      [OF_COMMITS, form(word("commiteado|(?:he hecho|hice) (?:un|el) commit"))],
      ["push", form(word("(?:he subido|subí) (?:los cambios|la rama)|(?:hice|he hecho) push"))],
    ],
    ran: [form(word("ejecuté|ejecutado|corrí|corrido"), String.raw`\s`, ONE)],
    not: form(NOT_DONE.es),
  },
  zh: {
    checks: [
      ["type check", form("类型检查", GAP, "(?:通过|成功|正常)")],
      ["build", form("(?:构建|编译)", GAP, "(?:通过|成功|正常)")],
      ["linter", form("(?:lint|代码检查)", GAP, "(?:通过|成功|正常)")],
      [
        "test run",
        form(
          "(?:已(?:经)?(?:运行|执行|跑)了?|(?:运行|执行|跑)了|(?:运行|执行|跑)过)[^，,。\\x60]{0,10}测试|测试已(?:经)?(?:运行|执行)",
        ),
      ],
      [OF_COMMITS, form("已(?:经)?提交|提交了")],
      ["push", form("已(?:经)?推送|推送了|推送到")],
    ],
    ran: [form("(?:已(?:经)?(?:运行|执行)了?|(?:运行|执行)了)\\s?", ONE)],
    not: form(NOT_DONE.zh),
  },
  ja: {
    checks: [
      ["type check", form("型チェック", GAP, "(?:通り|通過|成功|パス)")],
      ["build", form("(?:ビルド|コンパイル)", GAP, "(?:通り|通過|成功|パス)")],
      ["linter", form("(?:リント|lint)", GAP, "(?:通り|通過|成功|パス)")],
      [
        "test run",
        form("テスト(?:スイート)?を(?:すべて|全て)?(?:再)?実行し(?:ました|た|て確認|、)"),
      ],
      [OF_COMMITS, form("コミットし(?:ました|た)|コミット済み")],
      ["push", form("プッシュし(?:ました|た)|プッシュ済み")],
    ],
    ran: [form(ONE, "\\s?を(?:再)?実行し(?:ました|た|て確認|、)")],
    not: form(NOT_DONE.ja),
  },
};
/** Each form needs one of these. */
const MAY_SAY =
  /typprüf|typecheck|build|kompil|übersetz|lint|ausgeführt|lassen|gestartet|commit|gepush|eingecheckt|types|typage|compil|lancé|exécut|pouss|push|tipo|tipado|ejecut|corr|lancé|subi|subí|类型|构建|编译|代码|测试|运行|执行|提交|推送|型チェック|ビルド|コンパイル|リント|テスト|実行|コミット|プッシュ/iu;

/** That nothing more is needed of others, in any of them. */
const NO_NEEDS = form(
  String.raw`(?<!\p{L})(?:keine\s(?:neuen\s|weiteren\s|zusätzlichen\s)?abhängigkeiten|neue\sabhängigkeiten\s(?:kamen|sind|wurden|gibt\ses)\s(?:nicht|keine)|aucune\s(?:nouvelle\s)?dépendance|(?:ninguna|sin)\s(?:nuevas?\s)?dependencias?)(?!\p{L})`,
  "|(?:没有|未)(?:新增|添加|引入|增加)(?:任何)?(?:新的?)?依赖|(?:新しい)?依存関係(?:は|を)追加していません",
);

/** What a sentence in another language than English says was run, or went well. */
export interface ForeignChecks {
  readonly checks: readonly CheckName[];
  readonly commands: readonly string[];
}

export function foreignChecks(sentence: string): ForeignChecks {
  if (NO_NEEDS.test(sentence)) return { checks: ["dependencies"], commands: [] };
  const said = MAY_SAY.test(sentence)
    ? withoutNoFault(sentence).split(SENTENCES).flatMap(saidIn)
    : [];
  return {
    checks: [...new Set(said.flatMap(({ checks }) => checks))],
    commands: [...new Set(said.flatMap(({ commands }) => commands))],
  };
}

function saidIn(part: string): ForeignChecks[] {
  return (Object.keys(TONGUES) as Tongue[]).flatMap((tongue) => {
    const { checks, ran, not } = TONGUES[tongue];
    if (not.test(part)) return [];
    return [
      {
        checks: checks.flatMap(([name, one]) => (one.test(part) ? [name] : [])),
        commands: ran.flatMap((one) => one.exec(part)?.[1]?.trim() ?? []),
      },
    ];
  });
}
