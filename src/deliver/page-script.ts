/**
 * The few lines that make the filter buttons work. The page is whole without them: the bar of buttons
 * stays hidden until they run. No value of a report is in here, so the hash of it never changes.
 */
export const PAGE_SCRIPT = `
"use strict";
(() => {
  const bar = document.getElementById("filters");
  const shown = document.getElementById("shown");
  if (bar === null || shown === null) return;
  const all = [...document.querySelectorAll("[data-priority]")];
  const findings = all.filter((each) => each.localName === "article");
  const buttons = [...bar.querySelectorAll("button[data-group]")];
  const pressed = (group) =>
    buttons
      .filter((each) => each.dataset.group === group && each.ariaPressed === "true")
      .map((each) => each.value);
  const apply = () => {
    const priorities = pressed("priority");
    const reviewers = pressed("reviewer");
    for (const each of all) {
      const by = each.dataset.by.split(" ");
      const isShown =
        priorities.includes(each.dataset.priority) && by.some((one) => reviewers.includes(one));
      each.hidden = !isShown;
    }
    const count = findings.filter((each) => !each.hidden).length;
    shown.textContent = count + " of " + findings.length + " findings shown";
  };
  bar.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button === null) return;
    if (button.id === "reset") for (const each of buttons) each.ariaPressed = "true";
    else button.ariaPressed = String(button.ariaPressed !== "true");
    apply();
  });
  // A link from outside to one finding must show it, whatever is filtered.
  addEventListener("hashchange", () => {
    const target = findings.find((each) => "#" + each.id === location.hash);
    if (target !== undefined) target.hidden = false;
  });
  bar.hidden = false;
  apply();
})();
`;
