import { attribute, type Page, type Visitor } from "../support/visitor.ts";

/** Submits the first form of a page, as its button does. */
export function submitForm(visitor: Visitor, page: Page, stopAt?: (location: URL) => boolean): Promise<Page> {
  const form = page.body.match(/<form\b[\s\S]*?<\/form>/)?.[0];
  if (form === undefined) throw new Error(`no form on ${page.url}: ${page.body.slice(0, 500)}`);
  const fields = new URLSearchParams();
  for (const [input] of form.matchAll(/<input\b[^>]*>/g)) {
    fields.append(attribute(input, "name") ?? "", decodeEntities(attribute(input, "value") ?? ""));
  }
  return visitor.navigate(new URL(attribute(form, "action") ?? "", page.url), {
    method: "POST",
    body: fields,
    from: page.url,
    headers: { origin: page.url.origin },
    ...(stopAt && { stopAt }),
  });
}

function decodeEntities(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll("&amp;", "&");
}
