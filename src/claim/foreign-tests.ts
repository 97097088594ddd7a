import { begins, NOT, withoutNoFault, word } from "./foreign-words.ts";
import type { SaidTests } from "./said-tests.ts";

interface Language {
  readonly passed: RegExp;
  /** What denies it, or makes it a wish or a condition. */
  readonly not: RegExp;
}

const language = (passed: string, not: string): Language => ({
  passed: new RegExp(passed, "iu"),
  not: new RegExp(not, "iu"),
});
const GAP = "[^,:]{0,40}?";

/** That tests pass, in the languages that most agents are spoken to in; in others it is not heard. */
const LANGUAGES: readonly Language[] = [
  language(
    String.raw`${begins("(?:unit-?|regressions?)?tests?")}${GAP}${word("(?:laufen|läuft|liefen|lief)(?:\\s\\p{L}+){0,3}\\s(?:durch|grün|sauber)|(?:sind|waren)(?:\\s\\p{L}+){0,2}\\s(?:grün|erfolgreich|bestanden)|bestehen(?!\\saus)|bestanden|erfolgreich")}`,
    NOT.de,
  ),
  language(
    `${word("tests?")}${GAP}${word("passent|réussissent|réussis|verts?|ont (?:tous )?réussi|proprement")}`,
    NOT.fr,
  ),
  language(
    `${word("tests?|pruebas")}${GAP}${word("pasan|pasaron|pasando|pasado|exitosas?|exitosos?|en verde|limpiamente")}`,
    NOT.es,
  ),
  language(
    `${word("testes")}${GAP}${word("passam|passaram|passando|passado|aprovados|bem-sucedidos")}`,
    `${word("não|se|quando|nenhum|sem|exceto|antes|para que")}|dev[eo]|falh`,
  ),
  language(
    `${word("test")}${GAP}${word("passano|passati|superati|verdi|riusciti")}`,
    `${word("non|se|quando|nessun|senza|tranne|prima|affinché")}|dovre|devono|fallit`,
  ),
  language(
    `${word("tests?|testen")}${GAP}${word("slagen|slaagden|geslaagd|groen")}`,
    `${word("niet|geen|als|wanneer|zonder|behalve|voordat|zodat")}|moet|faal`,
  ),
  language(
    `${begins("test")}${GAP}${begins("przechodzą|przeszły|zaliczone|zielone")}`,
    `${word("nie|jeśli|gdy|żaden|bez|oprócz|aby|przed")}|powinn|musz`,
  ),
  language(
    `${begins("тест")}${GAP}${begins("проходят|прошли|пройдены|успешн|зелёны|зелены")}`,
    `${word("не|если|когда|чтобы|без|кроме|перед|ли|нет")}|долж|упал|неуспеш`,
  ),
  language(
    `${begins("test")}${GAP}${begins("geçti|geçiyor|başarılı")}`,
    `${word("değil|eğer|hiçbir|önce|hariç")}|geçm|başarısız|gerek|meli`,
  ),
  language("测试[^，]{0,20}(?:通过|成功)", NOT.zh),
  language("テスト.{0,20}(?:通り|通って|通過|パス|成功|合格)", NOT.ja),
  language("테스트.{0,20}(?:통과|성공)", "않|못|실패|면 |해야|전에|제외|세요|[?]"),
];
const MAY_SAY = /test|prueba|тест|测试|テスト|테스트/iu;
const OF_ALL =
  /alle|tous|toutes|todas|todos|tutti|tutte|wszystkie|(?<!\p{L})все(?!\p{L})|tüm|所有|全部|全て|すべて|모든|모두/iu;
const PARTS = /[。！？.!?;；]+/u;

/** What a sentence in another language than English reports of tests. */
export function foreignTests(sentence: string): SaidTests | undefined {
  if (!MAY_SAY.test(sentence)) return undefined;
  const said = withoutNoFault(sentence)
    .split(PARTS)
    .find((part) => LANGUAGES.some(({ passed, not }) => passed.test(part) && !not.test(part)));
  if (said === undefined) return undefined;
  const count = /(?<![A-Za-z\d.-])\d{1,7}(?![\d.])/u.exec(said)?.[0];
  return { count: count === undefined ? undefined : Number(count), isOfAll: OF_ALL.test(said) };
}
