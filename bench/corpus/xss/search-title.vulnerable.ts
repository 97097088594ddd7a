export function showSearch(box: HTMLElement): void {
  const term = decodeURIComponent(location.hash.slice(1));
  box.innerHTML = `Results for <em>${term}</em>`; // sink: xss
}
