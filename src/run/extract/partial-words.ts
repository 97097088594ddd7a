/** A file that comes in several blocks. */
const SPLIT =
  /\bpart\s+(?:\d{1,3}|one|two|three|four|first|second|[ivx]{1,4})\b|\b(?:first|second|third|last) (?:half|part|portion)\b|\((?:continued|cont\.?|cont'd|contd)\)|\bcontinu(?:ed|ation)\b|\bsplit (?:into|over|across)\b/i;

/** A piece of a file, in the words people use for one. */
const PIECE =
  /\b(?:snippets?|excerpts?|fragments?|partial(?:ly)?|abridged|abbreviated|truncated|pseudo-?code|diff|patch)\b|\b(?:relevant|changed|modified|updated|new|affected|important|following) (?:parts?|sections?|lines?|portions?|bits?|pieces?|functions?|methods?|imports?|fields?|entr(?:y|ies))\b|\bonly (?:the )?(?:changes|changed|relevant|new)\b|\b(?:rest|remainder) of (?:the |this |your )?(?:file|code|NAME)\b/i;

/** Something that goes into a file which is there already. */
const INTO: readonly RegExp[] = [
  /\b(?:append|prepend|insert|inject)(?:s|ed|ing)?\b/i,
  // "Add this to NAME", and not "Add NAME to the project" or "Add a file NAME".
  /\b(?:add|adding|merge|include|extend|paste)\b(?! (?:a |the |this |another )?(?:new |following )?file\b)[^.!?]{0,200}?\b(?:to|into|in|inside|within|at|after|before|above|below|under|beneath|from)\b[^.!?]{0,80}?\bNAME\b/i,
  /\b(?:add|insert|paste|put|place)\b[^.!?]{0,120}?\b(?:at|to|near|towards?) the (?:top|bottom|end|start|beginning|head|tail)\b/i,
  /\b(?:replac|chang|swap|modif|edit|updat|fix|remov|delet|renam|alter|tweak|adjust)(?:e|y|s|es|ies|ed|d|ing|ped|ping)?\b(?![^.!?]{0,40}\b(?:contents?|everything|all)\b)[^.!?]{0,160}?\b(?:in|inside|within|of|from)\b[^.!?]{0,40}?\bNAME\b/i,
  /\b(?:in|inside|within|at the (?:top|bottom|end|start|beginning) of)\b[^.!?]{0,30}\bNAME\b[^.!?]{0,20}?,? (?:please )?(?:add|append|insert|replace|change|find|locate|look for|remove|delete|update|modify|edit|swap|import|use|call)\b/i,
  /\bNAME\b[^.!?]{0,80}?\b(?:needs?|requires?|gets?|should (?:have|get|include|contain)|add|has)\b (?:(?:these|this|the|a|an|some|one|two|three|more) )?(?:additional|extra|new|more|another)\b/i,
  /\b(?:add|paste) (?:this|these|the following)(?: (?:line|lines|code|function|method|import|imports|block|section|entry|field))? (?:to|into|at|after|before)\b/i,
  /\b(?:line|lines) \d/i,
  /\bNAME\b[^.!?]{0,10}?\band (?:then )?(?:add|replace|change|insert|remove|update|find|append)\b/i,
  /\b(?:end|top|bottom|start|beginning|body|head|tail|middle|part|section|piece)s? of [^.!?]{0,20}?\bNAME\b/i,
  /\b(?:changes?|edits?|modifications?|additions?) (?:to|for|in)\b[^.!?]{0,20}?\bNAME\b/i,
];

/** The same one paragraph earlier, where only plain orders count: such a paragraph is often about other things. */
const ORDER =
  /\b(?:add|append|prepend|insert|paste|merge)\b (?:this|these|the following|the|a|an|it|them)\b[^.!?]{0,80}?\b(?:to|into|in|at|after|before|inside|with) (?:the |your |an? )?(?:existing |same |following |above |current )?(?:file|module|code|class|function|component|top|bottom|end|beginning)\b|\b(?:snippets?|excerpts?|fragments?|partial)\b|\bonly (?:the )?(?:changes|changed|relevant)\b|\b(?:replace|change|modify) the (?:\S{1,40} )?(?:function|method|line|lines|block|section|import|imports)\b/i;

/** What is said after a block that was not the whole file. */
const REST =
  /\b(?:rest|remainder|everything else|all else|other (?:code|parts?|functions?|methods?))\b[^.!?\n]{0,60}\b(?:stays?|remains?|is|are|unchanged|same|as (?:it|is|before))\b|\b(?:leave|keep)\b[^.!?\n]{0,30}\b(?:rest|everything else|remaining|other|existing)\b|\bcontinu(?:ed|es) (?:below|in the next)\b|\bmerge (?:this|it|these) (?:into|with)\b|\b(?:add|append|insert|paste) (?:this|it|these) (?:to|into|in|at|after|before|above|below)\b/i;

/** Why words announce one of several pieces of a file, or undefined. */
export function splitWords(text: string): string | undefined {
  const found = SPLIT.exec(text)?.[0];
  return found === undefined
    ? undefined
    : `the file is split ("${found}"); give it whole, in one block`;
}

/** Why an info string says that its block is less than a file. */
export function pieceWords(info: string): string | undefined {
  const found = /\b(?:snippet|excerpt|fragment|partial|abridged|truncated)\b/i.exec(info)?.[0];
  return found === undefined
    ? undefined
    : `its info string announces a piece ("${cut(found)}"); give the whole file`;
}

/** Why words announce less than a whole file; in them, the file is called `NAME`. */
export function partialWords(text: string): string | undefined {
  const found = [PIECE, ...INTO].map((one) => one.exec(text)?.[0]).find(Boolean);
  if (found === undefined) return undefined;
  return `the words before it announce a piece or a change ("${cut(found)}"); give the whole file`;
}

/** Why the paragraph before the one that names a file announces less than a file. */
export function orderWords(text: string): string | undefined {
  const found = ORDER.exec(text.slice(-ORDER_CHARS_MAX))?.[0];
  if (found === undefined) return undefined;
  return `the words before it announce a piece or a change ("${cut(found)}"); give the whole file`;
}

const ORDER_CHARS_MAX = 1_000;

/** Why the words after a block say that the block was not all of it. */
export function restWords(text: string): string | undefined {
  const found = REST.exec(text)?.[0];
  if (found === undefined) return undefined;
  return `the words after it say that there is more ("${cut(found)}"); give the whole file`;
}

function cut(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
