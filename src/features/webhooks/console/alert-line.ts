import type { AdminAnswers } from "../../../operate/client/index.ts";
import { take } from "../../../operate/console/api/api.ts";
import { useRequest } from "../../../operate/console/api/requests.ts";
import type { Line, State } from "../../../operate/console/before/lines.ts";
import { gatewayTimeOf, mayDo, useConsole } from "../../../operate/console/frame/console.ts";
import type { LocalizedTexts } from "../../../operate/console/frame/speech.ts";

const everyMs = 30_000;

const texts = {
  look: {
    en: "A webhook hears of this room. Send a test event to see that it arrives.",
    de: "Ein Webhook hört von diesem Raum. Senden Sie ein Testereignis, um zu sehen, dass es ankommt.",
  },
  left: {
    en: "No webhook hears of this room: nobody is told of an alarm.",
    de: "Kein Webhook hört von diesem Raum: Niemand erfährt von einem Alarm.",
  },
  unknown: {
    en: "Whether a webhook hears of this room is told to admins for all rooms alone.",
    de: "Ob ein Webhook von diesem Raum hört, erfahren nur Admins für alle Räume.",
  },
} satisfies LocalizedTexts;

/** Whether anybody learns of trouble in the room, for the checklist before a sale. Webhooks are listed for admins of all rooms alone. */
export function useAlertLine(room: string) {
  const { api, nowMs, elapsedMs, principal } = useConsole();
  const isAdmin = mayDo(principal.role, "admin") && principal.rooms === null;
  const query = { limit: 500 };
  const { answer, receivedMs, problem } = useRequest(
    async () => (isAdmin ? (await take(api.ask.GET("/admin/webhooks", { params: { query } }))).webhooks : null),
    { of: [room], everyMs },
  );
  const atMs = receivedMs === null ? null : gatewayTimeOf({ nowMs, elapsedMs }, receivedMs);
  return { lines: [alertLine(answer, room, atMs)], problem };
}

/** @param webhooks null: not for this role, or not answered yet @param atMs of the answer, by the gateway's clock */
export function alertLine(
  webhooks: readonly Pick<AdminAnswers["Webhook"], "enabled" | "rooms">[] | null,
  room: string,
  atMs: number | null,
): Line {
  const isHeard = webhooks?.some(({ enabled, rooms }) => enabled && (rooms === null || rooms.includes(room)));
  const [state, text]: [State, Line["text"]] =
    webhooks === null ? ["unknown", texts.unknown] : isHeard ? ["look", texts.look] : ["left", texts.left];
  const at = { room: false, name: "webhooks" };
  return { name: "alerts", state, text, values: {}, named: {}, quotes: [], at, atMs };
}
