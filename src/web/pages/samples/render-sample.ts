import type { Accept, Notice, NoticeAction, RenderedPage, RenderPages, Theme } from "../types.ts";
import type { Sample } from "./sample.ts";

/** How the pages of a room look to some of its visitors. */
export interface SampleLook {
  readonly theme: Theme | undefined;
  /** Of pages that speak of no room. */
  readonly usualTheme: Theme | undefined;
  /** Whether the page says that nothing is sold here. Default: no. */
  readonly isRehearsal?: boolean;
}

interface SampleLinks {
  /** Where the page asks for the room's status. Default: where the room has it. */
  readonly statusUrl?: string;
  /** Where its button leads, in place of where that of a visitor would. */
  actionOf?(action: NoticeAction): NoticeAction;
}

/** The page of a sample, as visitors see it. It may stand in a frame of its own origin, where theirs stands in none. */
export function renderSample(
  pages: RenderPages,
  sample: Sample,
  { theme, usualTheme, isRehearsal = false }: SampleLook,
  accept: Accept,
  { statusUrl, actionOf = (action) => action }: SampleLinks = {},
): RenderedPage {
  const statusOverride = statusUrl !== undefined && { statusUrl };
  if (sample.kind === "waiting") {
    return framed(pages.waiting({ ...sample.view, ...statusOverride, theme, isRehearsal }, sample.visitor, accept));
  }
  const { watch, action, ...rest } = sample.notice;
  const speaksOfRoom = rest.message !== undefined || watch !== undefined;
  const notice: Notice = {
    ...rest,
    ...(watch !== undefined && { watch: { ...watch, ...statusOverride } }),
    ...(action !== undefined && { action: actionOf(action) }),
    theme: speaksOfRoom ? theme : usualTheme,
    isRehearsal: speaksOfRoom && isRehearsal,
  };
  return framed(pages.notice(notice, accept));
}

function framed(page: RenderedPage): RenderedPage {
  const contentSecurityPolicy = page.contentSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
  return { ...page, contentSecurityPolicy };
}

/** What a page without scripts asks of the browser. */
const stillDirectives = /^(default-src|style-src|img-src|base-uri|frame-ancestors) /;

/**
 * The page to be looked at alone: as its script leaves it, without any script; no form is sent, no link leads anywhere, and the
 * browser gives it an origin that nothing else has.
 *
 * @param page not compressed
 */
export function withoutLife({ body, contentSecurityPolicy, ...page }: RenderedPage): RenderedPage {
  if (page.contentEncoding !== undefined) throw new TypeError("a compressed page cannot be changed");
  const html = body
    .toString()
    .replace(/<(script|noscript)\b[\s\S]*?<\/\1>\s*/g, "")
    // What the script says of itself, for styles.
    .replace(/<main\b(?=[^>]*\sdata-position=)/, '<main data-live=""')
    .replace(/(<a\b[^>]*?\shref=)"[^"]*"/g, '$1"#"');
  const directives = contentSecurityPolicy.split("; ").filter((directive) => stillDirectives.test(directive));
  return {
    ...page,
    body: Buffer.from(html),
    contentSecurityPolicy: [...directives, "form-action 'none'", "sandbox"].join("; "),
  };
}
