import type { Context } from "koa";
import { z } from "zod";
import type { OneTimeLinks } from "../../../registry/index.ts";
import { createBrowserMark } from "../sign-in/cookies.ts";

export const debugLinkPath = "/admin/debug-link";

const sub = z.strictObject({ by: z.literal("sub"), sub: z.string().max(64) });
const number = z.strictObject({ by: z.enum(["position", "entry"]), number: z.int().min(1) });
const watched = z.strictObject({
  room: z.string().max(32),
  /** When the link was made: a number means another visitor in another one. */
  edition: z.int(),
  ref: z.discriminatedUnion("by", [sub, number]),
});
/** As long as a link may work: a browser has one mark for all that it opens. */
const markSec = 24 * 3_600;

/** Whom a link shows. */
export type Watched = z.infer<typeof watched>;

/** What a link is to the browser that asks. */
type OpenedLink =
  | { readonly state: "gone" | "unopened" | "opened_elsewhere" }
  | { readonly state: "open"; readonly watched: Watched; readonly expiresMs: number; readonly isOpenedNow: boolean };
export type LinkState = OpenedLink["state"];

export type DebugLinks = ReturnType<typeof createDebugLinks>;

/**
 * Links that show support how it stands with one visitor. The browser that opens one first gets a cookie, without which the link
 * shows nothing any more. All of it is in the store, so any process answers.
 *
 * @param address the operators' own; null where it is not known
 */
export function createDebugLinks(links: OneTimeLinks, address: string | null) {
  const marks = createBrowserMark(address?.startsWith("https:") ?? false, "usher-debug", markSec, links.newBrowser);

  async function lookAs(browser: string | null, token: string, isOpenedNow = false): Promise<OpenedLink> {
    const found = await links.find("debug", token, browser);
    if (found === null) return { state: "gone" };
    if (!found.isUsed) return { state: "unopened" };
    if (found.usedByCallerForMs === null) return { state: "opened_elsewhere" };
    return { state: "open", watched: watched.parse(found.about), expiresMs: found.expiresMs, isOpenedNow };
  }

  return {
    address,
    /** @throws StoreUnavailableError */
    async make(about: Watched, validMs: number): Promise<{ readonly path: string; readonly expiresMs: number }> {
      const { token, expiresMs } = await links.make("debug", about, validMs);
      return { path: `${debugLinkPath}?token=${token}`, expiresMs };
    },
    /** Uses nothing up. @throws StoreUnavailableError */
    look: (ctx: Context, token: string): Promise<OpenedLink> => lookAs(marks.read(ctx), token),
    /** Gives the browser what it is known by when it opens a link. */
    know: (ctx: Context): void => marks.give(ctx, marks.readOrMake(ctx)),
    /**
     * Opens it for this browser, if it is the first one. Opening it once more in the same browser is well, too.
     *
     * @throws StoreUnavailableError
     */
    async open(ctx: Context, token: string): Promise<OpenedLink> {
      const browser = marks.readOrMake(ctx);
      const isOpenedNow = await links.use("debug", token, browser);
      const found = await lookAs(browser, token, isOpenedNow);
      if (found.state === "open") marks.give(ctx, browser);
      return found;
    },
  };
}
