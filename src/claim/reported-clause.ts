/** Where a sentence goes on with something else, and what stood before can be said of by itself. */
const ELSE =
  /(?:[,;]|\s[–—-])\s*(?=(?:but|and|so|although|though|while|however|yet)\b)|\s(?=(?:but|and)\s(?:i|we|you|they|the|it|this|that|there)\b)|;\s/i;
/** Before it, these make a wish or a condition of all that follows. */
const OPENS =
  /\b(?:if|once|when|until|unless|please|ensure|make sure|should|would|could|may|might|must|need(?:s|ed)?|to do|wants?|wanted|hope\w*|expect\w*|assum\w*|require\w*|whether|check|verify|says?|said|claim\w*)\b|\?/i;
/** Behind it, these take something of it back. */
const TAKES_BACK =
  /\b(?:if|once|when|until|unless|provided|assuming|except|apart|aside|other than|only|fail\w*|broke\w*|red|tests?|specs?|suite|they|them|it|some|one|two|flaky|skip\w*|sure|should|might|may|could|think|guess|hope\w*|yet|run|ran)\b|\?/i;

/**
 * The parts of a sentence that each say something of their own, where what is denied or fails in one of them says
 * nothing of another: "I fixed the failing test, and all tests pass". None where a part could change what another says.
 */
export function clausesOf(plain: string): string[] {
  const parts = plain.split(ELSE);
  if (parts.length < 2) return [];
  return parts.filter((_, at) => {
    const isFree = !parts.slice(0, at).some((one) => OPENS.test(one));
    return isFree && !parts.slice(at + 1).some((one) => TAKES_BACK.test(one));
  });
}
