const ENTITIES = { "<": "&lt;", ">": "&gt;", "&": "&amp;", '"': "&quot;" };
const escapeHtml = (text) => text.replace(/[<>&"]/g, (char) => ENTITIES[char]);

export function renderLink({ href, label }) {
  return '<a href="' + escapeHtml(href) + '">' + escapeHtml(label) + "</a>";
}
