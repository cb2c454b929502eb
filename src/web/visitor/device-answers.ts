import type { Context } from "koa";
import { z } from "zod";
import { seeOtherAnswer } from "../../lib/described-route.ts";
import { UsherError } from "../../lib/errors.ts";
import { seeOther } from "../../oidc/index.ts";
import type { WaitingRoom } from "../../room/index.ts";
import { readSameOriginForm } from "../middleware/read-body.ts";
import { isWayInto } from "./pages/page-request.ts";
import type { VisitorParts } from "./parts.ts";
import type { RoomRoutes } from "./room-routes.ts";

export function addDeviceRoute({ page }: RoomRoutes, parts: Parameters<typeof createDeviceAnswers>[0]): void {
  page(
    "POST",
    "/device",
    () => ({
      summary:
        "Takes a page's proof of the browser's key, and keeps what it is worth in a cookie; or lets the visitor go on without.",
      form: z.object({ proof: z.string().optional(), return: z.string().optional() }),
      answers: [
        { status: 204, description: "Done: ask for the page anew." },
        { ...seeOtherAnswer, description: "Back to `return`, without a key, where the room lets visitors." },
      ],
      errors: ["device_required", "not_found"],
    }),
    createDeviceAnswers(parts),
  );
}

/**
 * `POST …/device`, by our own page: its script shows that the browser has its key, and loads the page anew; or the visitor goes on
 * without, by a button, where the room lets them. What it is worth is kept in a cookie.
 */
export function createDeviceAnswers({ issuer, devices }: Pick<VisitorParts, "issuer" | "devices">) {
  return async (ctx: Context, room: WaitingRoom): Promise<void> => {
    if (room.deviceBinding === "none") throw new UsherError("not_found", "places of this room are bound to no browser");
    const form = await readSameOriginForm(ctx, issuer);
    const returnTo = form.get("return");
    if (returnTo !== null) return goWithout(ctx, room, returnTo);
    if (await devices.prove(ctx, room, form.get("proof") ?? "")) {
      ctx.status = 204;
      return;
    }
    throw new UsherError("device_required", "this proof does not count here, or not any more: load the page anew");
  };

  function goWithout(ctx: Context, room: WaitingRoom, returnTo: string): void {
    if (!isWayInto(room.id, returnTo)) throw new UsherError("bad_request", "the address to return to is not valid");
    if (!devices.goWithout(ctx, room)) {
      throw new UsherError(
        "device_required",
        "visitors of this room get a place only in a browser that can keep a key",
      );
    }
    seeOther(ctx, returnTo);
  }
}
