const FULL =
  /ENOSPC|EDQUOT|no space left on device|out of diskspace|disk is full|quota exceeded|no room for it on the disk/i;
const CAUSES_MAX = 8;

/** Whether something failed because a disk took no more, by its own word or that of what it came from. */
export function isNoRoom(error: unknown): boolean {
  return FULL.test(saidOf(error));
}

/** The words and codes of an error, and of what it came from. */
export function saidOf(error: unknown): string {
  const said: string[] = [];
  let at = error;
  for (let count = 0; at instanceof Error && count < CAUSES_MAX; count += 1) {
    said.push(at.message, "code" in at ? String(at.code) : "");
    at = at.cause;
  }
  return said.join("\n");
}
