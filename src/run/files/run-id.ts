/** A run's id from a moment and a process: sortable, and for people to read. */
export function runId(wallMs: number, pid: number, sequence: number): string {
  const [date = "", time = ""] = new Date(wallMs).toISOString().split("T");
  const digits = time.replace(/\D/g, "").padEnd(9, "0");
  const id = `${date.replaceAll("-", "")}-${digits}0-${pid}`;
  return sequence === 0 ? id : `${id}-${sequence}`;
}
