/** A line that would start a finding outside of code. */
const HEAD_IN_CODE = /^[\s>]{0,9}(?:[-*+] (?:\[[ xX]\] )?|#{2,6} )\*{0,2}\[[A-Z]{1,16}-\d{1,8}\]/m;

/** Whether a fence holds findings that were hardly meant to be quoted: they are told of, not read. */
export function looksSwallowed(text: string, language: string, isOpen: boolean): boolean {
  const isReport = isOpen || language === "markdown" || language === "md";
  return (isReport ? /\[[A-Z]{1,16}-\d{1,8}\]/ : HEAD_IN_CODE).test(text);
}
