/** What the waiting page does so that its room can notify the visitor while no page is open. */
import {
  endSpentSubscriptions,
  endSubscription,
  keepSubscribed,
  leaveNote,
  type PushOutcome,
} from "./push-subscription.ts";

export type PushOffer = ReturnType<typeof createPushOffer>;

/** Whether this browser can. On iOS only pages can that were put on the home screen. */
export function canPush(): boolean {
  return "PushManager" in window && "serviceWorker" in navigator && "caches" in window;
}

export function createPushOffer(room: string) {
  const folder = new URL(`/rooms/${room}/push/`, location.href).href;
  let registration: ServiceWorkerRegistration | undefined;

  return {
    /** By which notifications are shown, once the worker is there. */
    registration: () => registration,
    /** Whether the visitor has asked for it, maybe on an earlier page. */
    async isSubscribed(): Promise<boolean> {
      registration ??= await navigator.serviceWorker.getRegistration(folder);
      return Boolean(await registration?.pushManager.getSubscription());
    },
    /** To be called by each page anew: the place, its address or Usher's key may be others. */
    async subscribe(): Promise<PushOutcome> {
      const note = { page: location.href, language: document.documentElement.lang };
      try {
        registration = await register(`${folder}worker.js`);
        await leaveNote(folder, note);
      } catch {
        return "refused";
      }
      void endSpentSubscriptions(folder).catch(() => {});
      return keepSubscribed(registration.pushManager, folder, note);
    },
    async end(): Promise<void> {
      if (registration) await endSubscription(registration, folder);
    },
  };
}

/** Only an active worker can be subscribed for. */
async function register(url: string): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(url);
  const { active, waiting, installing } = registration;
  const worker = waiting ?? installing;
  if (active === null && worker !== null) {
    await new Promise<void>((resolve, reject) => {
      worker.onstatechange = () => {
        if (worker.state === "activated") resolve();
        if (worker.state === "redundant") reject(new Error("the worker was not installed"));
      };
    });
  }
  return registration;
}
