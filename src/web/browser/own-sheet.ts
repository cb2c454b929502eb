import { attempt } from "../pages/shared/wording.ts";

/** Adds a later part's own styles to the page. @returns false in browsers without such sheets */
export function addStyles(styles: string): boolean {
  return attempt(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return true;
  }, false);
}
