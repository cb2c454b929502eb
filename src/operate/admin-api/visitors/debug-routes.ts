import type { Context } from "koa";
import { z } from "zod";
import { formatTime } from "../../../config/index.ts";
import type { FailedAttempts } from "../../../lib/address-buckets.ts";
import { html, type Refusal, seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { lookUpVisitor, nothingFound, type WaitingRoom, type WaitingRooms } from "../../../room/index.ts";
import { readSameOriginForm } from "../../../web/middleware/read-body.ts";
import { createRouteTable, type RouteTable } from "../../../web/middleware/router.ts";
import { later, notSyncedYet } from "../../../web/visitor/status.ts";
import type { AuditLog } from "../../audit/index.ts";
import { askForLink } from "../access/principal.ts";
import { audited } from "../audit/write-rows.ts";
import type { PlainPage } from "../plain-page.ts";
import { type DebugLinks, debugLinkPath, type LinkState, type Watched } from "./debug-links.ts";
import { findingJson } from "./finding-json.ts";

/** What a debug link shows. */
export interface DebugPage {
  readonly title: string;
  readonly problem: string | null;
  /** Of a link that nobody has opened yet; else null. */
  readonly token: string | null;
  readonly found: (ReturnType<typeof findingJson> & { readonly roomTitle: string; readonly visitor: string }) | null;
  readonly linkEndsAt: string | null;
  /** Where the page does, or does not, load itself again: for those who read slowly. */
  readonly turn: { readonly address: string; readonly isUpdating: boolean } | null;
}

export interface DebugRoutesOptions {
  readonly audit: Pick<AuditLog, "record">;
  readonly failures: FailedAttempts;
  readonly rooms: Pick<WaitingRooms, "get">;
  readonly debugLinks: DebugLinks;
  readonly debugPage: PlainPage<DebugPage>;
}

const refusals: readonly Refusal[] = ["not_found", "too_many_from_address", "store_unavailable"];
const refreshSec = 10;
const title = "A visitor's place in line";
const unknownLink = "this link has expired, or is none: ask for another one";

/** The page behind a debug link. The link identifies nobody and allows no action: it only shows one visitor's state. */
export function debugRoutes(options: DebugRoutesOptions): RouteTable {
  const { audit, failures, rooms, debugLinks, debugPage } = options;
  const table = createRouteTable();
  const nothing = { problem: null, token: null, found: null, linkEndsAt: null, turn: null };

  function showErrorsOnPage(ctx: Context): void {
    ctx.set("Cache-Control", "no-store");
    ctx.state.errorPage = (error: UsherError) => {
      // The store is back in a moment, and the page with it.
      if (error.status === 503 && ctx.method === "GET") ctx.set("Refresh", String(refreshSec));
      const problem = error.expose ? error.message : "something went wrong";
      debugPage(ctx, error.status, { ...nothing, title: "This link shows nothing", problem });
    };
  }

  /** @throws UsherError `too_many_from_address` */
  const ask = (ctx: Context, look: () => ReturnType<DebugLinks["look"]>) =>
    askForLink(ctx, failures, look, ({ state }) => state !== "gone");

  function refusal(state: Exclude<LinkState, "open">): UsherError {
    if (state === "opened_elsewhere") {
      return new UsherError("forbidden", "this link was already opened in another browser: ask for another one");
    }
    return new UsherError("not_found", unknownLink);
  }

  table.add(
    "People",
    "GET",
    debugLinkPath,
    () => ({
      summary:
        "Shows how it stands with one visitor, to the browser that opened the link; to others before that its page.",
      query: z.object({ token: z.string().optional(), updates: z.string().optional() }),
      answers: [{ status: 200, types: html, description: "A page." }],
      errors: [...refusals, "forbidden"],
    }),
    async (ctx) => {
      showErrorsOnPage(ctx);
      const token = String(ctx.query.token ?? "");
      const link = await ask(ctx, () => debugLinks.look(ctx, token));
      if (link.state === "unopened") {
        debugLinks.know(ctx);
        return debugPage(ctx, 200, { ...nothing, title, token });
      }
      if (link.state !== "open") throw refusal(link.state);
      const { watched, expiresMs } = link;
      const isUpdating = ctx.query.updates !== "off";
      const address = `${debugLinkPath}?token=${token}${isUpdating ? "&updates=off" : ""}`;
      const found = await tell(watched);
      if (isUpdating) ctx.set("Refresh", String(refreshSec));
      debugPage(ctx, 200, {
        ...nothing,
        title,
        found,
        linkEndsAt: formatTime(expiresMs),
        turn: { address, isUpdating },
      });
    },
  );

  table.add(
    "People",
    "POST",
    debugLinkPath,
    () => ({
      summary: "Opens a debug link in this browser, the first one.",
      form: z.object({ token: z.string() }),
      answers: [seeOtherAnswer],
      errors: refusals,
    }),
    (ctx) => {
      showErrorsOnPage(ctx);
      const route = { method: "POST", path: "/debug-link", role: "viewer", isSignIn: true } as const;
      return audited(audit, ctx, route, async (notes) => {
        const { address } = debugLinks;
        if (address === null) throw new UsherError("not_found", unknownLink);
        const token = (await readSameOriginForm(ctx, address)).get("token") ?? "";
        const link = await ask(ctx, () => debugLinks.open(ctx, token));
        if (link.state !== "open") throw refusal(link.state);
        notes.isNothingNew = !link.isOpenedNow;
        notes.room = link.watched.room;
        notes.subject = { visitor: nameOf(link.watched) };
        ctx.redirect(`${debugLinkPath}?token=${token}`);
        ctx.status = 303;
      });
    },
  );

  return table;

  async function tell(watched: Watched) {
    const room = rooms.get(watched.room);
    if (room === undefined) throw new UsherError("not_found", "the room of this visitor was removed");
    const finding = await look(room, watched);
    return { ...findingJson(room, finding), roomTitle: room.title, visitor: nameOf(watched) };
  }

  async function look(room: WaitingRoom, { ref, edition }: Watched) {
    const finding = await lookUpVisitor(room, ref);
    if (finding === null || finding === "ambiguous" || room.state === null) throw later(notSyncedYet);
    const now = room.state.edition;
    // The number is another visitor's by now.
    return ref.by === "sub" || now === edition
      ? finding
      : nothingFound({ code: "reset", ticketEdition: edition, edition: now });
  }
}

function nameOf({ ref }: Watched): string {
  if (ref.by === "sub") return ref.sub;
  return ref.by === "entry" ? `entry number ${ref.number}` : `position ${ref.number}`;
}
