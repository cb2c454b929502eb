import { hash } from "node:crypto";
import type { Context } from "koa";
import { z } from "zod";
import type { OneTimeLinks } from "../../../registry/index.ts";
import { createHostCookies } from "../sign-in/cookies.ts";

export const debugLinkPath = "/admin/debug-link";

const sub = z.strictObject({ by: z.literal("sub"), sub: z.string().max(64) });
const number = z.strictObject({ by: z.enum(["position", "entry"]), number: z.int().min(1) });
const watched = z.strictObject({
  room: z.string().max(32),
  /** When the link was made: a number means another visitor in another one. */
  edition: z.int(),
  ref: z.discriminatedUnion("by", [sub, number]),
});
const view = z.strictObject({ link: z.string() });

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
  const cookies = createHostCookies(address?.startsWith("https:") ?? false);
  /** One for each link: somebody helps several visitors at once. */
  const cookieOf = (token: string) => `usher-debug-${hash("sha256", token).slice(0, 12)}`;
  const hashOf = (token: string) => hash("sha256", `usher debug view\n${token}`);

  async function isOwn(ctx: Context, token: string): Promise<boolean> {
    const found = await links.find("debug view", cookies.read(ctx, cookieOf(token)) ?? "");
    const about = view.safeParse(found?.about);
    return about.success && about.data.link === hashOf(token);
  }

  async function look(ctx: Context, token: string): Promise<OpenedLink> {
    const found = await links.find("debug", token);
    if (found === null) return { state: "gone" };
    if (!found.isUsed) return { state: "unopened" };
    if (!(await isOwn(ctx, token))) return { state: "opened_elsewhere" };
    return { state: "open", watched: watched.parse(found.about), expiresMs: found.expiresMs, isOpenedNow: false };
  }

  return {
    address,
    /** @throws StoreUnavailableError */
    async make(about: Watched, validMs: number): Promise<{ readonly path: string; readonly expiresMs: number }> {
      const { token, expiresMs } = await links.make("debug", about, validMs);
      return { path: `${debugLinkPath}?token=${token}`, expiresMs };
    },
    /** Uses nothing up. @throws StoreUnavailableError */
    look,
    /**
     * Opens it for this browser, if it is the first one. Opening it once more in the same browser is well, too.
     *
     * @param nowMs of the store
     * @throws StoreUnavailableError
     */
    async open(ctx: Context, token: string, nowMs: number): Promise<OpenedLink> {
      const found = await look(ctx, token);
      if (found.state !== "unopened") return found;
      const link = await links.find("debug", token);
      if (link === null) return { state: "gone" };
      const leftMs = Math.max(1_000, link.expiresMs - nowMs);
      // Before the link is used up: a store that goes away in between costs nobody the link. What another was given in vain lapses.
      const cookie = await links.make("debug view", { link: hashOf(token) }, leftMs);
      if (!(await links.use("debug", token))) return { state: "opened_elsewhere" };
      cookies.set(ctx, cookieOf(token), cookie.token, Math.ceil(leftMs / 1_000));
      return { state: "open", watched: watched.parse(link.about), expiresMs: link.expiresMs, isOpenedNow: true };
    },
  };
}
