/** Adds a later part's own styles to the page. @returns false in browsers without such sheets */
export function addStyles(styles: string): boolean {
  if (!("adoptedStyleSheets" in document)) return false;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return true;
}
