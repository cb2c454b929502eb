/**
 * The service worker of a room that notifies its visitors: it shows what Usher sends, and leads there when the visitor presses it. It
 * controls no page and answers none of their requests.
 */
import { keepSubscribed, readNote, showNotification } from "../../../web/browser/push-subscription.ts";
import { jitter } from "../../../web/browser/requests.ts";

interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface PushEvent extends WorkerEvent {
  readonly data: { text(): string } | null;
}
interface NotificationEvent extends WorkerEvent {
  readonly notification: Notification;
}
interface Window {
  readonly url: string;
  focus(): Promise<unknown>;
}

/** What such a worker has otherwise than a page. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Kind extends WorkerEvent>(type: string, listener: (event: Kind) => void): void;
}

const worker = globalThis as unknown as WorkerScope;
const { registration, clients } = worker;
const retryPausesMs = [2_000, 5_000, 15_000, 30_000, 60_000];
const folder = new URL("./", location.href).href;

worker.addEventListener("install", (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener<PushEvent>("push", (event) => event.waitUntil(show(event.data)));
worker.addEventListener<NotificationEvent>("notificationclick", (event) => event.waitUntil(lead(event.notification)));
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain()));

/** Browsers expect a notification for each message, one that can't be read included: it leads to the room all the same. */
async function show(data: PushEvent["data"]): Promise<void> {
  const message = read(data);
  const text = (name: string) => (typeof message[name] === "string" ? (message[name] as string) : "");
  const dir = text("dir") === "rtl" ? "rtl" : "ltr";
  const said = { body: text("body"), lang: text("lang"), dir, data: text("address") } as const;
  await showNotification(registration, text("title") || location.hostname, said);
}

function read(data: PushEvent["data"]): Readonly<Record<string, unknown>> {
  try {
    // Of null, too.
    return { ...JSON.parse(data?.text() ?? "") };
  } catch {
    return {};
  }
}

/** To the page that waits, where it is still open; else to where the visitor came from. */
async function lead(notification: Notification): Promise<void> {
  notification.close();
  const page = (await readNote(folder).catch(() => undefined))?.page;
  const address = webAddress(notification.data);
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const waiting = open.find(({ url }) => url === page || url === address);
  if (waiting) await waiting.focus();
  else await clients.openWindow(address ?? page ?? new URL("../enter", folder).href);
}

function webAddress(address: unknown): string | undefined {
  if (typeof address !== "string" || address === "") return undefined;
  try {
    const { protocol, href } = new URL(address, location.href);
    return protocol === "https:" || protocol === "http:" ? href : undefined;
  } catch {
    return undefined;
  }
}

/** The browser has given the subscription up, for another or for none. Where nobody answers who knows, a browser lets its worker try for some minutes. */
async function subscribeAgain(): Promise<void> {
  for (const pauseMs of [...retryPausesMs, 0]) {
    const note = await readNote(folder);
    if (!note || (await keepSubscribed(registration.pushManager, folder, note)) !== "away") return;
    await new Promise((resolve) => setTimeout(resolve, jitter(pauseMs)));
  }
}
