const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

export function showSearch(box: HTMLElement): void {
  const term = decodeURIComponent(location.hash.slice(1));
  box.innerHTML = `Results for <em>${escapeHtml(term)}</em>`;
}
