/** The types of events. Those of a feature are declared in its `feature.ts`; a test compares all with docs/webhooks.md. */

/** Who may read events of a type, and who is sent them without asking. */
export interface EventTypeTerms {
  /** They tell of what only admins may list. */
  readonly isForAdmins?: boolean;
  /** They come so often that a receiver gets them only where it names them. */
  readonly isFrequent?: boolean;
}

const forAdmins: EventTypeTerms = { isForAdmins: true };
const frequent: EventTypeTerms = { isFrequent: true };

const ofFrames = {
  "usher.room.phase_changed": {},
  "usher.room.hold_began": {},
  "usher.room.hold_ended": {},
  "usher.room.edition_began": {},
  "usher.room.settings_changed": {},
  "usher.room.sold_out": {},
  "usher.room.sold_out_ended": {},
  "usher.room.full": {},
  "usher.room.full_ended": {},
  "usher.room.joins_refused": {},
  "usher.room.joins_refused_ended": {},
  "usher.room.draw_changed": {},
  "usher.room.log_sealed": {},
  "usher.room.recovered": {},
  "usher.room.figures": frequent,
  "usher.admission.began": frequent,
  "usher.admission.ended": frequent,
  "usher.room.created": {},
  "usher.room.updated": {},
  "usher.room.deleted": {},
  "usher.client.created": forAdmins,
  "usher.client.updated": forAdmins,
  "usher.client.deleted": forAdmins,
  "usher.key.changed": forAdmins,
  "usher.admin_key.created": forAdmins,
  "usher.admin_key.rotated": forAdmins,
  "usher.admin_key.revoked": forAdmins,
  "usher.process.ready": {},
  "usher.process.not_ready": {},
} as const satisfies Readonly<Record<string, EventTypeTerms>>;

/** A type of the frames' own events. */
export type EventType = keyof typeof ofFrames;

/** All types of this program. */
export type EventTypes = ReturnType<typeof createEventTypes>;

/** @throws TypeError for a type that is declared twice */
export function createEventTypes(ofFeatures: readonly Readonly<Record<string, EventTypeTerms>>[]) {
  const declared = [ofFrames, ...ofFeatures].flatMap((types) => Object.entries<EventTypeTerms>(types));
  const terms = new Map(declared);
  if (terms.size < declared.length) throw new TypeError("a type of events is declared twice");
  const all: readonly string[] = [...terms.keys()];
  /** The first of these that means no type; undefined for none. */
  const findUnknown = (wanted: readonly string[]) =>
    wanted.find((pattern) => !all.some((type) => isAmong(type, [pattern])));
  return {
    all,
    /** What a receiver without a choice of its own is sent. */
    usual: all.filter((type) => terms.get(type)?.isFrequent !== true),
    /** Of a type, or of all that begin so where it ends with a `*`. */
    isForAdmins(wanted: string): boolean {
      if (!wanted.endsWith("*")) return terms.get(wanted)?.isForAdmins === true;
      const matching = all.filter((type) => isAmong(type, [wanted]));
      return matching.length > 0 && matching.every((type) => terms.get(type)?.isForAdmins === true);
    },
    findUnknown,
    /** What is wrong with the name of a type, or with the beginning of one; null for nothing. */
    findFault: (wanted: string): string | null =>
      findUnknown([wanted]) === undefined ? null : `there are no such events; there are: ${all.join(", ")}`,
  };
}

/** Whether a type is meant by one of these: each is a type, or the beginning of some with a `*` behind it. */
export function isAmong(type: string, wanted: readonly string[]): boolean {
  return wanted.some((pattern) => (pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern));
}
