/** Code that runs inside the page, as text: the project's own code knows no document. */

/**
 * Lists texts whose contrast with what is behind them is below the bound of WCAG AA for small text.
 * Every text is held to it, however large it is.
 */
export const LOW_CONTRAST = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([red, green, blue]) => {
    const linear = [red, green, blue].map((each) => {
      const part = each / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const behind = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      const style = getComputedStyle(each);
      if (style.backgroundImage !== "none") throw new Error("text on an image");
      const colour = channels(style.backgroundColor);
      if (colour.length === 3) return colour;
      if (colour[3] > 0) throw new Error("text on a see-through ground");
    }
    return [255, 255, 255];
  };
  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) =>
      element.checkVisibility() &&
      !["SCRIPT", "STYLE"].includes(element.tagName) &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ""),
  );
  const low = texts.flatMap((element) => {
    const [a, b] = [channels(getComputedStyle(element).color), behind(element)].map(luminance);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    return ratio < 4.5 ? [element.className + ": " + ratio.toFixed(2) + " " + element.textContent.slice(0, 30)] : [];
  });
  return { checked: texts.length, low };
})()`;

/** Names of elements that reach out of the window and are not inside something that scrolls. */
export const OVERFLOWING = `[...document.body.querySelectorAll("*")]
  .filter((element) => {
    const box = element.getBoundingClientRect();
    const isOut = box.width > 0 && box.right > innerWidth + 0.5;
    return isOut && element.closest("pre") === null;
  })
  .map((element) => element.localName + "." + element.className)`;

/** What could act in a page: everything that is not text and not ours. */
export const ACTIVE = `[...document.querySelectorAll("*")]
  .filter((element) => {
    const hasHandler = [...element.attributes].some(
      ({ name }) => /^on/.test(name) || ["style", "src", "action", "srcset", "formaction"].includes(name),
    );
    const isForeign = ["IMG", "IFRAME", "OBJECT", "EMBED", "FORM", "LINK", "BASE", "INPUT", "B64"].includes(element.tagName);
    const isOutward = element.hasAttribute("href") && !/^#(f\\d+|findings)$/.test(element.getAttribute("href"));
    return hasHandler || isForeign || isOutward;
  })
  .map((element) => element.outerHTML.slice(0, 80))`;

/** Ids that are used twice, and references inside the page that lead nowhere. */
export const LOOSE_ENDS = `(() => {
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  const wanted = [
    ...[...document.querySelectorAll("[aria-labelledby]")].map((each) => each.getAttribute("aria-labelledby")),
    ...[...document.querySelectorAll("a[href]")].map((each) => each.getAttribute("href").slice(1)),
  ];
  return [...ids.filter((id, at) => ids.indexOf(id) !== at), ...wanted.filter((id) => !ids.includes(id))];
})()`;

/** The first complaint of a strict parser about the page's markup, or nothing. */
export function xmlComplaint(source: string): string {
  const bare = source.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "<$1></$1>");
  return `new DOMParser().parseFromString(${JSON.stringify(bare)}, "application/xhtml+xml")
    .querySelector("parsererror")?.textContent ?? ""`;
}
