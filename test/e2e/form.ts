import { attribute, type Page, type Visitor } from "../support/visitor.ts";

/** Submits the first form of a page, as its button does; or the first that goes to an address with this end. */
export function submitForm(
  visitor: Visitor,
  page: Page,
  stopAt?: (location: URL) => boolean,
  addressEnd = "",
): Promise<Page> {
  const forms = page.body.match(/<form\b[\s\S]*?<\/form>/g) ?? [];
  const form = forms.find((each) => attribute(each, "action")?.endsWith(addressEnd));
  if (form === undefined) throw new Error(`no form to …${addressEnd} on ${page.url}: ${page.body.slice(0, 500)}`);
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

/** Presses the button of the waiting page that gives up the place. */
export function leaveLine(visitor: Visitor, page: Page): Promise<Page> {
  return submitForm(visitor, page, undefined, "/leave");
}

function decodeEntities(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))).replaceAll("&amp;", "&");
}
