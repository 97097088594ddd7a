/** A name with nothing around it but marks, a number, a note in parentheses or a word that leads on. */
const ALONE =
  /^[\s#>*+\d.)-]*(?:(?:now|then|next|first|second|third|finally|lastly|and|or|also|again|once more|the|for|module|step \d{1,3})[\s,:.]+)*NAME\s*(?:\([^()]{0,60}\))?(?:\s+[–—-]\s+[^.!?]{1,80})?[\s:.*-]*$/i;

/** Words with which people hand over a file. */
const HANDED_OVER =
  /\b(?:creat|updat|writ|overwrit|rewrit|sav|add|replac|mak|put|generat|implement|modif|edit|chang|refactor|stor|past|cop)(?:y|e|s|es|ed|ing|ies|ied|ten|d)?\b|\b(?:files?|filename|filepath|path|contents?|named|called|code|new|full|complete|entire|whole|final|following|version|looks? like|should (?:be|have|look|read)|goes (?:in|into)|belongs|here(?:'s|’s| is| are| comes| you)|this is|that is|it is|we need|you need)\b/i;

/** Words about a file that is not to be written, or not like this. */
const NOT_SO: readonly RegExp[] = [
  /\b(?:don't|don’t|do not|never|avoid|must not|should not|shouldn't|shouldn’t|not like|instead of|rather than|no longer)\b/i,
  /\b(?:delete|remove|drop|deleting|removing)\b[^.!?]{0,20}\bNAME\b/i,
  /\b(?:currently|originally|previously|current|original|old|previous|earlier|former|broken|buggy|wrong|incorrect|faulty)\b(?! (?:folder|directory|project|user))|\bused to\b|\blooked like\b|\bbefore:\s*$|\(before\)/i,
  /\b(?:probably|might|maybe|perhaps|something like|similar to|roughly|for example|e\.g\.)/i,
];

/** Words about what a file does, says or is used for. */
const DOES: readonly RegExp[] = [
  /\b(?:outputs?|errors?|logs?|stack ?traces?|results?|usage|calls?|imports?|warnings?|messages?) (?:of|from|for|in|by|to)\b[^.!?]{0,20}\bNAME\b/i,
  /\bNAME\b(?![^.!?]{0,10}\b(?:which|that|to)\b)[^.!?]{0,20}\b(?:prints?|outputs?|logs?|gives?|returns?|fails?|throws?|produces?|yields?|shows?|reports?|says?|expects?|reads?|imports?|calls?|uses?)\b/i,
  /\bNAME\b(?! (?:files?|code|contents?)\b)[^.!?]{0,40}\b(?:errors?|outputs?|usage|traces?|warnings?)\b/i,
  /\b(?:printed|returned|produced|thrown|logged|shown|imported|used|run|executed|generated|read) (?:by|from|in|with)\b[^.!?]{0,20}\bNAME\b/i,
  /\b(?:run|runs|running|execut(?:e|es|ing)|invok(?:e|es|ing)|test|testing|try|trying|import|importing|use|using|call|calling|register|open|see|find|go to|look at)\b(?! (?:this|it|the following) as| files?\b)[^.!?]{0,40}\bNAME\b/i,
  /^[\s*#>\d.)-]*(?:(?:and|then|now|next|also|elsewhere)[\s,]+)*(?:in|inside|within|from|of|at|see|per|like)\b[^.!?]{0,30}\bNAME\W*$/i,
];

/**
 * Why the sentence with a file's name does not hand that file over, or undefined where it does. In
 * the text the name is `NAME`. A sentence of no known kind is one that does not: a block that shows
 * what a program prints must not become the program.
 */
export function aboutWords(text: string): string | undefined {
  // A row of a table lists files and introduces none.
  if (text.startsWith("|")) return `${ABOUT}; ${HINT}`;
  const found = [...NOT_SO, ...DOES].map((one) => one.exec(text)?.[0]).find(Boolean);
  if (found !== undefined) return `${ABOUT} ("${found.trim().slice(0, 60)}"); ${HINT}`;
  return ALONE.test(text) || HANDED_OVER.test(text) ? undefined : `${ABOUT}; ${HINT}`;
}

const ABOUT = "the words before it do not say that the block is the file";
const HINT = "write: Create file `name`:";
