/** Where links and images of an operator's Markdown may lead. */
import { anyPageFault, webAddressFault } from "../checks/urls.ts";

const ALT_LENGTH_MAX = 300;
const SIDE_MAX = 10_000;
/** Of an image that does not say its own. */
const USUAL_SIZE = { width: 1_600, height: 900 };
/** What can be a source in a Content-Security-Policy: a host's name may have characters that end one. */
const SOURCE = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;

/** A page of any site. */
export function linkTo(written: string): { readonly href: string } | { readonly fault: string } {
  const fault = anyPageFault(written);
  return fault === null ? { href: new URL(written).href } : { fault };
}

/** An image of any host, with what those read who do not see it. Where it has a title, that is its size. */
export function imageAt({
  src,
  alt,
  title,
}: {
  readonly src: string;
  readonly alt: string;
  readonly title: string | null;
}) {
  const addressFault = webAddressFault(src);
  const url = addressFault === null ? new URL(src) : null;
  const size = title === null ? USUAL_SIZE : sizeOf(title);
  const faults = [
    addressFault,
    url === null || SOURCE.test(url.origin) ? null : "expected a host's name of letters, digits and hyphens",
    alt === "" ? "expected what it shows, in [ ], for those who do not see it" : null,
    alt.length > ALT_LENGTH_MAX ? `expected at most ${ALT_LENGTH_MAX} characters in [ ]` : null,
    size === null ? 'its title is its width and height in pixels, such as "1200x600"' : null,
  ].filter((fault) => fault !== null);
  return { faults, place: { src: url?.href ?? "", ...(size ?? USUAL_SIZE) } };
}

function sizeOf(title: string): typeof USUAL_SIZE | null {
  const [, width = 0, height = 0] = (/^(\d{1,5})x(\d{1,5})$/.exec(title) ?? []).map(Number);
  const isSize = [width, height].every((side) => side >= 1 && side <= SIDE_MAX);
  return isSize ? { width, height } : null;
}
