/** What a heading's text looks like once it is shown: without marks, pictures and addresses. */
function shown(heading: string): string {
  return heading
    .replace(/!\[[^\]\n]{0,200}\]\([^)\n]{0,500}\)/g, "")
    .replace(/\[([^\]\n]{0,300})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/\[([^\]\n]{0,300})\]\[[^\]\n]{0,200}\]/g, "$1")
    .replace(/<[^>\n]{0,300}>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#\d{1,6});/g, "")
    .replace(/\\([^\w\s])/g, "$1")
    .replace(/[`*]|~~/g, "")
    .replace(/(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu, "");
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * The anchors that a page offers for its headings, by GitHub's rule: the shown text in lower case,
 * without punctuation, a hyphen for each blank, and a number from the second of the same on. Where
 * renderers differ every spelling is accepted: a link that works somewhere is not called broken.
 */
export function anchorsOf(headings: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  const counts = new Map<string, number>();
  for (const heading of headings) {
    const custom = /\{#([\w-]{1,100})\}\s*$/.exec(heading)?.[1];
    if (custom !== undefined) anchors.add(custom.toLowerCase());
    const text = shown(heading.replace(/\{#[\w-]{1,100}\}\s*$/, "")).trim();
    const slug = toSlug(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
    anchors.add(toSlug(text.replace(/:[a-z0-9_+-]{1,40}:/g, "")));
    anchors.add(toSlug(heading.trim()));
    anchors.add(slug.replace(/-{2,}/g, "-").replace(/^-|-$/g, ""));
  }
  return anchors;
}
