export function renderLink({ href, label }) {
  return '<a href="' + href + '">' + label + "</a>"; // sink: xss
}
