/** Goes to another address of the console, as a link does. */
export function go(address: string): void {
  history.pushState(null, "", address);
  scrollTo(0, 0);
  dispatchEvent(new PopStateEvent("popstate"));
}

/** What the address names behind `?`, such as `?client=box-office`; null for nothing. */
export function chosen(name: string): string | null {
  return new URLSearchParams(location.search).get(name);
}
