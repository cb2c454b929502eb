import type { Context } from "koa";
import type { UsherConfig } from "../../../config/index.ts";
import { repeat } from "../../../lib/repeat.ts";
import type { AdminKeys, OneTimeLinks } from "../../../registry/index.ts";
import { createBrowserMark } from "./cookies.ts";
import { signInPath } from "./return-to.ts";

export interface SignInLinkParts {
  readonly adminKeys: Pick<AdminKeys, "views" | "registry">;
  readonly links: OneTimeLinks;
}

export type SignInLink = ReturnType<typeof createSignInLink>;

export const signInLinkPath = `${signInPath}/link`;
const validMs = 15 * 60_000;
/** So long the same browser may press the button again. */
const repeatMs = 2 * 60_000;
/** While the store is away. */
const retryMs = 2_000;

/**
 * The link that is printed at start where nobody could sign in otherwise: there is no provider, and no admin key in force. Each
 * process prints one of its own, which signs one browser in as an admin, at any process that shares the store.
 */
export function createSignInLink(
  { url: address, signIn }: UsherConfig["admin"],
  { adminKeys, links }: SignInLinkParts,
) {
  const isSecure = address?.startsWith("https:") ?? false;
  const marks = createBrowserMark(isSecure, "usher-sign-in-link", validMs / 1_000, links.newBrowser);
  const isNeeded = () =>
    address !== null &&
    signIn === null &&
    // There may be keys that this process cannot read.
    adminKeys.registry.isComplete &&
    adminKeys.views.every((key) => "status" in key && key.status !== "active");

  return {
    /**
     * Prints it, as soon as the store answers and only if it is needed by what the store says.
     *
     * @param print to the terminal: a log would keep it
     * @returns ends the attempts
     */
    announce(print: (text: string) => void): () => Promise<void> {
      if (!isNeeded()) return async () => undefined;
      const stop = repeat(0, async () => {
        try {
          await adminKeys.registry.refresh();
          if (isNeeded()) print(words(await links.make("sign-in", {}, validMs)));
          void stop();
        } catch {
          // A store that is away is reported elsewhere.
        }
        return retryMs;
      });
      return stop;
    },
    /** Whether it would sign somebody in. Does not use it up: programs that show previews of links ask for them, too. */
    async isGood(ctx: Context, token: string): Promise<boolean> {
      const link = isNeeded() ? await links.find("sign-in", token, null) : null;
      const isGood = link !== null && !link.isUsed;
      if (isGood) marks.give(ctx, marks.readOrMake(ctx));
      return isGood;
    },
    /** Uses it up for all but this browser, which may come again within two minutes. False where it signs nobody in. */
    async use(ctx: Context, token: string): Promise<boolean> {
      if (!isNeeded()) return false;
      const browser = marks.readOrMake(ctx);
      if (await links.use("sign-in", token, browser)) return true;
      const link = await links.find("sign-in", token, browser);
      return link !== null && link.usedByCallerForMs !== null && link.usedByCallerForMs < repeatMs;
    },
  };

  function words({ token }: { readonly token: string }): string {
    return [
      "",
      "  There is no admin key and no provider to sign in at (admin.sign_in). This link signs one browser in, once, within 15 minutes:",
      "",
      `    ${address}${signInLinkPath}?token=${token}`,
      "",
    ].join("\n");
  }
}
