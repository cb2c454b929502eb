/** What is entered of a webhook, and the events to choose from. */
import type { AdminAnswers } from "../../../operate/client/index.ts";
import { answerOf, choiceOf, given, itemsOf, textOf } from "../../../operate/console/parts/form/members.ts";

export type Webhook = AdminAnswers["Webhook"];

export const formats = ["cloudevents", "slack"] as const;

export interface WebhookValues {
  readonly url: string;
  readonly rooms: readonly string[];
  /** None: what is usual. */
  readonly types: readonly string[];
  readonly format: string;
  readonly enabled: string;
  readonly note: string;
  readonly [name: string]: string | readonly string[];
}

export const newWebhook: WebhookValues = {
  url: "",
  rooms: [],
  types: [],
  format: "cloudevents",
  enabled: "yes",
  note: "",
};
export const webhookPaths = Object.keys(newWebhook);

export function valuesOf({ url, rooms, types, format, enabled, note }: Webhook): WebhookValues {
  return { url, rooms: rooms ?? [], types, format, enabled: enabled ? "yes" : "no", note: note ?? "" };
}

/** A webhook as the API takes it. A member is undefined where nothing was entered. */
export function membersOf({ url, rooms, types, format, enabled, note }: WebhookValues) {
  return {
    rooms: itemsOf(rooms),
    types: itemsOf(types),
    format: choiceOf(formats, format),
    enabled: answerOf(enabled),
    note: textOf(note),
    // It is always sent: whoever leaves it out is told so at its field.
    url: url.trim(),
  };
}

export function bodyOf(values: WebhookValues) {
  const { url, ...members } = membersOf(values);
  return { url, ...given(members) };
}

interface TypeOption {
  readonly value: string;
  /** Another one that is chosen says it, too. */
  readonly isImplied: boolean;
}

/** Every type, the beginning of each kind before its own, and what else was chosen already. */
export function typeOptions(types: readonly string[], chosen: readonly string[]): TypeOption[] {
  const kinds = [...new Set(types.map(kindOf))];
  const all = kinds.flatMap((kind) => [kind, ...types.filter((type) => kindOf(type) === kind)]);
  const begun = chosen.filter((each) => each.endsWith("*"));
  const isImplied = (value: string) =>
    begun.some((each) => each !== value && value.startsWith(each.slice(0, -1)) && value.length >= each.length);
  return [...new Set([...all, ...chosen])].map((value) => ({ value, isImplied: isImplied(value) }));
}

/** `usher.room.*` for `usher.room.full`. */
function kindOf(type: string): string {
  return `${type.split(".").slice(0, 2).join(".")}.*`;
}
