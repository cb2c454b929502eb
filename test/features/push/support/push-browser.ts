/**
 * A browser that subscribes at the push service of the tests, since the real one needs the network. In its pages `PushManager` alone is replaced: its
 * service worker, its notifications and the delivery of messages to it are Chromium's own.
 */
import type { BrowserContext, CDPSession, Worker } from "playwright-core";
import { expect } from "vitest";
import type { PushService } from "./push-service.ts";

interface Made {
  readonly name: string;
  readonly key: string;
  readonly json: { readonly endpoint: string; readonly keys: Readonly<Record<string, string>> };
}

export interface ShownNotification {
  readonly title: string;
  readonly body: string;
  readonly lang: string;
  readonly dir: string;
  readonly data: unknown;
  readonly timestamp: number;
}

export type PushBrowser = Awaited<ReturnType<typeof createPushBrowser>>;

const soon = { timeout: 30_000, interval: 50 };
const shortly = { timeout: 2_000, interval: 50 };

/** What a page's or a worker's `PushManager` does, given what is asked of the push service. */
const pushManager = `
  const bytesOf = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0)).buffer;
  const subscriptionOf = (made) => made && {
    endpoint: made.json.endpoint,
    expirationTime: null,
    options: { userVisibleOnly: true, applicationServerKey: bytesOf(made.key) },
    toJSON: () => ({ ...made.json, expirationTime: null }),
    unsubscribe: () => askPushService("unsubscribe"),
  };
  PushManager.prototype.getSubscription = async () => subscriptionOf(await askPushService("get"));
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (Notification.permission !== "granted") throw new DOMException("permission denied", "NotAllowedError");
    if (userVisibleOnly !== true) throw new DOMException("silent messages are not allowed", "NotAllowedError");
    return subscriptionOf(await askPushService("subscribe", applicationServerKey));
  };`;

/** @param visitor by whose name the push service knows the browser: each subscription adds a number */
export async function createPushBrowser(
  context: BrowserContext,
  service: PushService,
  origin: string,
  visitor: string,
) {
  let made: Made | null = null;
  let count = 0;
  let given = 0;
  let serviceOrigin: string | undefined;
  const subscribe = (key: string): Made => {
    count++;
    const name = `${visitor}-${count}`;
    const { endpoint, keys } = service.subscribe(name, key);
    const { origin: usual } = new URL(endpoint);
    made = { name, key, json: { endpoint: endpoint.replace(usual, serviceOrigin ?? usual), keys } };
    return made;
  };
  await context.exposeFunction("askPushService", (what: string, key = "") => {
    if (what === "subscribe") return subscribe(key);
    if (what === "get") return made;
    const had = made !== null;
    if (made !== null) service.unsubscribe(made.name);
    made = null;
    return had;
  });
  await context.addInitScript(`{${pushManager}}`);
  let devtools: Promise<{ session: CDPSession; registrationId: string }> | undefined;

  /** By a tab that shows nothing of Usher, so that there need be no page of it. */
  async function inspect() {
    const session = await context.newCDPSession(await context.newPage());
    const registrationId = new Promise<string>((resolve) =>
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
        if (own !== undefined) resolve(own.registrationId);
      }),
    );
    await session.send("ServiceWorker.enable");
    return { session, registrationId: await registrationId };
  }

  const worker = async (): Promise<Worker> => context.serviceWorkers()[0] ?? context.waitForEvent("serviceworker");
  const evaluate = async <Result>(expression: string): Promise<Result> => (await worker()).evaluate(expression);
  const shown = () =>
    evaluate<ShownNotification[]>(
      "registration.getNotifications().then((all) => all.map(({ title, body, lang, dir, data, timestamp }) => ({ title, body, lang, dir, data, timestamp })))",
    );

  return {
    /** The subscription that the browser has. */
    current: () => made,
    subscribe,
    /** The browser's maker has its service at another address. */
    subscribesAt(origin: string): void {
      serviceOrigin = origin;
    },
    evaluate,
    shown,
    /** What the push service has got for this browser so far. */
    received: () => service.delivered.filter(({ subscriber }) => subscriber.startsWith(`${visitor}-`)),
    /** The device is there again: the browser hands the worker this message, whatever it is. @returns what is shown then */
    async deliver(data: string): Promise<ShownNotification[]> {
      devtools ??= inspect();
      const { session, registrationId } = await devtools;
      const newest = async () => (await shown()).at(-1)?.timestamp ?? 0;
      const before = await newest();
      // Just after its tools were attached, Chromium now and then loses one.
      for (let left = 12; left > 0 && (await newest()) <= before; left--) {
        await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
        await expect
          .poll(newest, shortly)
          .toBeGreaterThan(before)
          .catch(() => {});
      }
      expect(await newest(), "a notification is shown").toBeGreaterThan(before);
      return shown();
    },
    /** The same with the next message that the push service has got for this browser, and what is then shown. */
    async wake(): Promise<ShownNotification[]> {
      await expect.poll(() => this.received().length, soon).toBeGreaterThan(given);
      return this.deliver(JSON.stringify(this.received()[given++]?.message));
    },
    /**
     * The notification is pressed. Nobody's hand does it, so what the browser would open or focus is told instead.
     *
     * @param stays whether it is not closed: a browser closes it some time later, and with it the next one of the same tag
     */
    press: (stays = false) =>
      evaluate<string[]>(`(async () => {
        const [notification] = await registration.getNotifications();
        if (${stays}) notification.close = () => {};
        const [done, waits] = [[], []];
        Clients.prototype.openWindow = async (url) => { done.push("open " + url); };
        WindowClient.prototype.focus = async function () { done.push("focus " + this.url); };
        const event = new NotificationEvent("notificationclick", { notification });
        event.waitUntil = (wait) => waits.push(wait);
        dispatchEvent(event);
        await Promise.all(waits);
        return done;
      })()`),
    /** The browser gives its subscription up for another, which the worker is told. */
    async change(): Promise<void> {
      const key = made?.key ?? "";
      if (made !== null) service.unsubscribe(made.name);
      made = null;
      await evaluate(`(async () => {
        let made = null;
        globalThis.askPushService = async (what) => (what === "subscribe" ? (made = ${JSON.stringify(subscribe(key))}) : made);
        ${pushManager}
        const waits = [];
        const event = new ExtendableEvent("pushsubscriptionchange");
        event.waitUntil = (wait) => waits.push(wait);
        dispatchEvent(event);
        await Promise.all(waits);
      })()`);
    },
  };
}
