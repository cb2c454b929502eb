import { type Insider, Untried } from "../../../doctor/index.ts";
import { askGateway, type Gateway, Refusal } from "../gateway.ts";
import { CommandError } from "../terminal.ts";

/** The admin API, with a key that makes bypass links and ends admissions. */
export function insiderOf(gateway: Gateway): Insider {
  /** @throws Untried */
  const ask: typeof askGateway = (asked, call) =>
    askGateway(asked, call).catch((error: unknown) => {
      throw error instanceof CommandError ? new Untried(error.message, { cause: error }) : error;
    });

  return {
    name: gateway.url,
    async makeLink(room) {
      const body = { note: "usher doctor" };
      const params = { path: { room } };
      const { url } = await ask(gateway, (api) => api.POST("/admin/rooms/{room}/bypass", { params, body }));
      return url;
    },
    async visitorOf(room, ticket) {
      const params = { path: { room } };
      const body = { ticket };
      const { sub } = await ask(gateway, (api) => api.POST("/admin/rooms/{room}/visitors/find", { params, body }));
      return sub;
    },
    async isLive(room, sub) {
      const params = { path: { room, sub } };
      const found = await ask(gateway, (api) => api.GET("/admin/rooms/{room}/admissions/{sub}", { params }));
      return found.status === "live";
    },
    /** There is none where the entry was refused. */
    async endAdmission(room, sub) {
      const params = { path: { room, sub } };
      const body = { status: "completed" as const };
      try {
        await ask(gateway, (api) => api.PATCH("/admin/rooms/{room}/admissions/{sub}", { params, body }));
      } catch (error) {
        const cause = error instanceof Error ? error.cause : null;
        if (!(cause instanceof Refusal && cause.status === 404)) throw error;
      }
    },
  };
}
