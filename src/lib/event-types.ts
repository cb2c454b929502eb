/** The types of events, and how some of them are chosen. A test compares them with docs/webhooks.md. */
export const eventTypes = [
  "usher.room.phase_changed",
  "usher.room.hold_began",
  "usher.room.hold_ended",
  "usher.room.edition_began",
  "usher.room.settings_changed",
  "usher.room.sold_out",
  "usher.room.sold_out_ended",
  "usher.room.full",
  "usher.room.full_ended",
  "usher.room.joins_refused",
  "usher.room.joins_refused_ended",
  "usher.room.draw_changed",
  "usher.room.log_sealed",
  "usher.room.recovered",
  "usher.room.figures",
  "usher.admission.began",
  "usher.admission.ended",
  "usher.room.created",
  "usher.room.updated",
  "usher.room.deleted",
  "usher.client.created",
  "usher.client.updated",
  "usher.client.deleted",
  "usher.key.changed",
  "usher.admin_key.created",
  "usher.admin_key.rotated",
  "usher.admin_key.revoked",
  "usher.webhook.created",
  "usher.webhook.updated",
  "usher.webhook.deleted",
  "usher.incident.opened",
  "usher.incident.updated",
  "usher.incident.resolved",
  "usher.incident.deleted",
  "usher.process.ready",
  "usher.process.not_ready",
  "usher.webhook.test",
  "usher.webhook.events_missed",
] as const;
export type EventType = (typeof eventTypes)[number];

/** What a webhook without a choice of its own is sent: all but what comes often. */
export const usualTypes: readonly string[] = eventTypes.filter(
  (type) => type !== "usher.room.figures" && !type.startsWith("usher.admission."),
);

/** Whether events of a type are for admins alone: they tell of what only admins may list. */
export function isForAdmins(type: string): boolean {
  return /^usher\.(client|key|admin_key|webhook)\./.test(type);
}

/** Whether a type is meant by one of these: each is a type, or the beginning of some with a `*` behind it. */
export function isAmong(type: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}

/** The first of these that means no type; undefined for none. */
export function unknownType(wanted: readonly string[]): string | undefined {
  return wanted.find((pattern) => !eventTypes.some((type) => isAmong(type, [pattern])));
}

/** What is wrong with the name of a type, or with the beginning of one; null for nothing. */
export function eventTypeFault(wanted: string): string | null {
  return unknownType([wanted]) === undefined ? null : `there are no such events; there are: ${eventTypes.join(", ")}`;
}
