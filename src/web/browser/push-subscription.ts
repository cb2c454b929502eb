/**
 * How a browser has itself notified by a room (Web Push): the waiting page and its service worker do it alike. A room is named by the folder
 * in which its worker lies, `/rooms/ROOM/push/`.
 */
import { isLaterStatus } from "../../room/public-status/pacing.ts";
import { roomsMax } from "./of-rooms.ts";
import { inTime, readRefusal } from "./requests.ts";

/** What the page leaves behind for its worker, which runs when no page is open, too. */
export interface PushNote {
  /** The address of the waiting page. */
  readonly page: string;
  readonly language: string;
}

/**
 * - `kept`: the room notifies this browser.
 * - `over`: there is no place any more, or it waits for no turn.
 * - `full`: the room notifies as many as it can.
 * - `refused`: the browser has no push service that can be used, or the room notifies nobody.
 * - `away`: nobody answered who knows.
 */
export type PushOutcome = "kept" | "over" | "full" | "refused" | "away";

const openNotes = () => caches.open("usher.push");
const noteIn = (folder: string) => `${folder}note`;

export async function leaveNote(folder: string, note: PushNote): Promise<void> {
  await (await openNotes()).put(noteIn(folder), new Response(JSON.stringify(note)));
}

/** None where something else stands there. */
export async function readNote(folder: string): Promise<PushNote | undefined> {
  const note: Partial<PushNote> | null = await (await (await openNotes()).match(noteIn(folder)))?.json();
  const { page, language } = note ?? {};
  return typeof page === "string" && typeof language === "string" ? { page, language } : undefined;
}

/**
 * A browser has a worker, a subscription and a note for each room that notifies it. Of more rooms than it can have places in, those whose place
 * has no turn to come are given up, the oldest first; one that nobody answers for stays until the next time.
 *
 * @param folder of the room whose page it is
 */
export async function endSpentSubscriptions(folder: string): Promise<void> {
  const others = (await (await openNotes()).keys()).map(({ url }) => url.slice(0, -"note".length));
  let count = others.length;
  for (const other of others) {
    if (count <= roomsMax) return;
    if (other === folder || (await hasTurnToCome(other))) continue;
    const registration = await navigator.serviceWorker.getRegistration(other);
    if (registration) await endSubscription(registration, other);
    else await (await openNotes()).delete(noteIn(other));
    await registration?.unregister();
    count--;
  }
}

async function hasTurnToCome(folder: string): Promise<boolean> {
  try {
    const answer = await inTime((signal) => fetch(`${folder}../tickets/me`, { signal }));
    const { state, error } = (await answer.json()) as { state?: string; error?: string };
    // No ticket, and no such room: by Usher's own words, not by those of a proxy.
    if (typeof error === "string") return answer.status !== 401 && answer.status !== 404;
    return state !== "expired" && state !== "admitted";
  } catch {
    return true;
  }
}

/** Registers this browser for notifications. Subscribes anew if it has no subscription, or one for a key that Usher has replaced. */
export async function keepSubscribed(manager: PushManager, folder: string, note: PushNote): Promise<PushOutcome> {
  try {
    const response = await inTime((signal) => fetch(folder.slice(0, -1), { signal }));
    if (!response.ok) return await outcomeOf(response);
    const { public_key } = (await response.json()) as { public_key: string };
    if (typeof public_key !== "string") throw public_key;
    const subscription = await subscribe(manager, public_key).catch(() => null);
    if (subscription === null) return "refused";
    const request = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...subscription.toJSON(), language: note.language, public_key }),
      // By that Usher knows where the notification is to lead; a worker has an address of its own.
      referrer: note.page,
    };
    return await outcomeOf(await inTime((signal) => fetch(placeOf(folder), { ...request, signal })));
  } catch {
    return "away";
  }
}

/** Nobody is notified here any more. Usher learns of it from the push service where it can't be told. */
export async function endSubscription(registration: ServiceWorkerRegistration, folder: string): Promise<void> {
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  await (await openNotes()).delete(noteIn(folder));
  await inTime((signal) => fetch(placeOf(folder), { method: "DELETE", signal })).catch(() => {});
}

const placeOf = (folder: string) => `${folder}../tickets/me/push`;

async function subscribe(manager: PushManager, applicationServerKey: string): Promise<PushSubscription> {
  const existing = await manager.getSubscription();
  if (existing !== null && keyOf(existing) === applicationServerKey) return existing;
  await existing?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

/** As Usher writes it: base64url. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=/g, "");
}

/** @throws where somebody else than Usher answered */
async function outcomeOf(response: Response): Promise<PushOutcome> {
  const refusal = await readRefusal(response);
  if (refusal === null) return "kept";
  const { error, status } = refusal;
  if (error === "room_full") return "full";
  if (error === "conflict" || status === 401) return "over";
  // Another process may be able to read the ticket.
  return isLaterStatus(status) || error === "ticket_unreadable" ? "away" : "refused";
}

/** Shows one notification of the room at a time; the visitor is alerted anew where it says something else. */
export async function showNotification(
  registration: ServiceWorkerRegistration,
  title: string,
  { data, ...said }: Pick<NotificationOptions, "body" | "lang" | "dir" | "data">,
): Promise<void> {
  const tag = registration.scope;
  const [current] = await registration.getNotifications({ tag });
  const options = { ...said, tag, data, renotify: current?.body !== said.body };
  await registration.showNotification(title, options);
}

export async function closeNotifications(registration: ServiceWorkerRegistration): Promise<void> {
  for (const notification of await registration.getNotifications({ tag: registration.scope })) notification.close();
}
