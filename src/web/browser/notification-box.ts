/**
 * The box that is ticked for a notification. Where the room and the browser have Web Push it comes by that, so that it comes while no page is open,
 * too, and the browser itself remembers the choice; else the page shows it, as long as it is open.
 */
import { isSeen } from "./page-parts.ts";
import { canPush, createPushOffer } from "./push-offer.ts";
import { closeNotifications, type PushOutcome, showNotification } from "./push-subscription.ts";

export interface NotificationBox {
  readonly box: HTMLInputElement;
  readonly words: Readonly<Record<"notifyBlocked" | "notifyFull" | "notifyFailed", string>>;
  /** The room, where it notifies its visitors by Web Push. */
  readonly pushRoom: string | undefined;
  /** Says why it is not ticked, or nothing. */
  tell(text: string): void;
  /** Called when the box, or what it stands for, may have changed. */
  changed(): void;
}

/** A page that is looked at again asks after this long whether all is as it says, in milliseconds. */
const syncEveryMs = 60_000;

export function createNotifications({ box, words, pushRoom, tell, changed }: NotificationBox) {
  const push = pushRoom !== undefined && canPush() ? createPushOffer(pushRoom) : undefined;
  let isByPush = push !== undefined;
  let notification: Notification | undefined;
  let syncedMs = -Infinity;
  /** One step after the other, however quickly the box is pressed. */
  let work: Promise<unknown> = Promise.resolve();

  function next(step: () => Promise<unknown>): void {
    // Whatever a browser makes of it, the page goes on.
    work = work.then(step).catch(() => untick(words.notifyFailed));
  }

  function untick(text: string): void {
    box.checked = false;
    tell(text);
    changed();
  }

  async function isAllowed(): Promise<boolean> {
    try {
      // Chrome on Android leaves notifications to service workers, and throws. Without permission nothing is shown.
      if (!isByPush && !push?.registration()) new Notification("").close();
      return (await Notification.requestPermission()) === "granted";
    } catch {
      return false;
    }
  }

  /** From now on the page alone notifies. */
  async function fallBack(outcome: PushOutcome): Promise<void> {
    isByPush = false;
    if (outcome === "over") return changed();
    await push?.end();
    untick(outcome === "full" ? words.notifyFull : words.notifyFailed);
  }

  /** Sets the box to what the browser is subscribed to, and tells Usher anew, which may have forgotten it or may know another place. */
  async function sync(): Promise<void> {
    if (!push || !isByPush) return;
    box.checked = await push.isSubscribed();
    changed();
    if (!box.checked) return;
    const outcome = await push.subscribe();
    // Whoever was not heard is asked again.
    if (outcome !== "kept" && outcome !== "away") await fallBack(outcome);
  }

  box.onchange = () => {
    tell("");
    changed();
    // Browsers ask as long as the press is fresh.
    const { checked } = box;
    const allowed = checked ? isAllowed() : null;
    next(async () => {
      if (allowed === null) await push?.end();
      else if (!(await allowed)) return untick(words.notifyBlocked);
      else if (push && isByPush) {
        const outcome = await push.subscribe();
        if (outcome !== "kept") return fallBack(outcome);
      }
      // Meanwhile it may have been made to say what was so before.
      box.checked = checked;
      changed();
    });
  };
  if (push) box.checked = false;
  else if (box.checked) box.checked = Notification.permission === "granted";

  function close(): void {
    notification?.close();
    const registration = push?.registration();
    if (registration) void closeNotifications(registration);
  }

  return {
    /** Whether notifications come, or would come, while no page is open, too. */
    isByPush: () => isByPush,
    /** To be called when the visitor looks, or looks away; and once at the beginning. */
    look(): void {
      if (isSeen()) close();
      if (isSeen() ? syncedMs < performance.now() - syncEveryMs : syncedMs === -Infinity) {
        syncedMs = performance.now();
        next(() => sync().catch(() => fallBack("over")));
      }
    },
    close,
    /** Of several tabs one notification is left. */
    show(title: string, body: string): void {
      if (!box.checked) return;
      const registration = push?.registration();
      const { lang, dir } = document.documentElement;
      if (registration) {
        const said = { body, lang, dir: dir === "rtl" ? "rtl" : "ltr", data: location.href } as const;
        void showNotification(registration, title, said);
      } else {
        notification = new Notification(title, { body, tag: title });
        notification.onclick = () => focus();
      }
    },
  };
}
