import type { StatementSyncInstance } from "@photostructure/sqlite";
import type { OpenDatabase } from "./sqlite.ts";

/** Everything that is ever asked of a trace's database. */
export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements({ db }: OpenDatabase) {
  const prepare = (sql: string): StatementSyncInstance => db.prepare(sql);
  const checkpoint = "SELECT seq + 1 AS size, checkpoint AS note FROM entry";
  return {
    begin: prepare("BEGIN IMMEDIATE"),
    snapshot: prepare("BEGIN"),
    commit: prepare("COMMIT"),
    rollback: prepare("ROLLBACK"),
    insert: prepare("INSERT INTO entry VALUES (?, ?, ?)"),
    // Inserts only where the ledger ends just before this entry; otherwise the line becomes null,
    // which is ignored. A condition on a SELECT would say it plainer, but needs a temporary table.
    insertNext: prepare(
      "INSERT OR IGNORE INTO entry VALUES (?1, iif((SELECT coalesce(max(seq), -1) + 1 FROM entry) = ?1, ?2, NULL), ?3)",
    ),
    sign: prepare("UPDATE entry SET checkpoint = ? WHERE seq = ?"),
    last: prepare("SELECT max(seq) AS last FROM entry"),
    bytes: prepare(
      "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
    ),
    integrity: prepare("PRAGMA integrity_check(20)"),
    entriesFrom: prepare("SELECT line FROM entry WHERE seq >= ? ORDER BY seq"),
    // Handing out lines one by one costs more than reading them; bytes can be handed on to a thread as they are.
    piece: prepare(
      "SELECT CAST(group_concat(line, char(10)) AS BLOB) AS piece FROM (SELECT line FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq)",
    ),
    checkpoints: prepare(`${checkpoint} WHERE checkpoint IS NOT NULL ORDER BY seq`),
    lastCheckpoint: prepare(`${checkpoint} WHERE checkpoint IS NOT NULL ORDER BY seq DESC LIMIT 1`),
    checkpointOfSize: prepare(`${checkpoint} WHERE checkpoint IS NOT NULL AND seq = ? - 1`),
  };
}
