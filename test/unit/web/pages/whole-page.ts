/** What is asked of a page in any language: nothing is missing in it. */
import { expect } from "vitest";
import type { Pages } from "../../../../src/web/pages/index.ts";
import type { Locale } from "../../../../src/web/pages/locales/locale.ts";
import type { Sample } from "../../../../src/web/pages/samples/index.ts";
import { htmlOf } from "./support.ts";

export function render(pages: Pages, sample: Sample, language: string): string {
  const accept = { gzip: false, language: undefined, chosen: language, here: "/" };
  return htmlOf(
    sample.kind === "waiting"
      ? pages.waiting(sample.view, sample.visitor, accept)
      : pages.notice(sample.notice, accept),
  );
}

/** The page as it is read, without what its script alone fills in. */
export function readable(html: string): string {
  return html.replace(/<(script|style)\b.*?<\/\1>/gs, "").replace(/ data-[\w-]+="[^"]*"/g, "");
}

export function expectWholePage(pages: Pages, sample: Sample, { tag, dir, texts }: Locale): void {
  const html = render(pages, sample, tag);
  const read = readable(html);
  expect(html, sample.id).toContain(`<html lang="${tag}" dir="${dir}">`);
  expect(html, sample.id).toMatch(/<title>[^<]+<\/title>/);
  expect(html, sample.id).toMatch(/<h1[^>]*>(<bdi[^>]*>)?[^<]+</);
  expect(read.match(/\{\w*\}|\b(undefined|null|NaN)\b|\[object/g), sample.id).toBeNull();
  expect(read, sample.id).toContain(texts.chooser.label);
}
