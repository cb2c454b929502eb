/** A message while it is written: what the operator has so far, in each language. */

import { messageIn } from "../../../../room/public-status/status.ts";
import type { AdminAnswers } from "../../../client/index.ts";
import type { Settings } from "../use-details.ts";

type Message = NonNullable<Settings["message"]>;
export type RoomPages = AdminAnswers["RoomPages"];
export type ReadyMessage = RoomPages["messages"][number];
export type Severity = ReadyMessage["severity"];

/** `language` null: for every reader. */
export interface DraftText {
  readonly language: string | null;
  readonly text: string;
}

export interface Draft {
  readonly severity: Severity;
  /** At least one. The first is for readers of none of the others. */
  readonly texts: readonly DraftText[];
}

export const severities = ["information", "warning", "sold_out"] as const satisfies readonly Severity[];

export function readDraft(message: Settings["message"] | undefined): Draft {
  const { text, severity = "information" } =
    typeof message === "object" && message !== null ? message : { text: message ?? "" };
  const texts: DraftText[] =
    typeof text === "string"
      ? [{ language: null, text }]
      : Object.entries(text).map(([language, each]) => ({ language, text: each }));
  return { severity, texts };
}

/** As the admin API takes it: without languages in which nothing is written. Null where nothing is. */
export function writeDraft({ severity, texts }: Draft): Message | null {
  const written = texts.flatMap(({ language, text }) => (text.trim() === "" ? [] : [{ language, text: text.trim() }]));
  const [first] = written;
  if (first === undefined) return null;
  if (first.language === null) return severity === "information" ? first.text : { text: first.text, severity };
  return { text: Object.fromEntries(written.map(({ language, text }) => [language ?? "", text])), severity };
}

/** Whether both say the same, in the same order of languages. */
export function isSame(one: Draft, other: Draft): boolean {
  return JSON.stringify(writeDraft(one)) === JSON.stringify(writeDraft(other));
}

/** Tabs are shown on no page. */
export function withText(draft: Draft, language: string | null, text: string): Draft {
  const written = text.replace(/\t/g, " ");
  return {
    ...draft,
    texts: draft.texts.map((each) => (each.language === language ? { language, text: written } : each)),
  };
}

/** One language more. A text for every reader is in the room's own from now on. A ready message is there in every language. */
export function withLanguage(draft: Draft, language: string, pages: RoomPages): Draft {
  const ready = readyOf(draft, pages.messages);
  const named = draft.texts.map((each) => ({ ...each, language: each.language ?? pages.language }));
  if (named.some((each) => each.language === language)) return { ...draft, texts: named };
  return { ...draft, texts: [...named, { language, text: ready?.texts[language] ?? "" }] };
}

/** What it may be written in besides: first what the room speaks, then what the operator reads. @param read tags of languages */
export function furtherLanguages({ texts }: Draft, { languages }: RoomPages, read: readonly string[]) {
  const isRead = (tag: string) => read.some((each) => each === tag || each.split("-")[0] === tag);
  const rankOf = ({ tag, of_room: isOfRoom }: RoomPages["languages"][number]) => (isOfRoom ? 0 : isRead(tag) ? 1 : 2);
  return languages
    .filter(({ tag }) => texts.every(({ language }) => language !== tag))
    .sort((one, other) => rankOf(one) - rankOf(other));
}

/** The last one stays. */
export function withoutLanguage(draft: Draft, language: string): Draft {
  const left = draft.texts.filter((each) => each.language !== language);
  return left.length === 0 ? draft : { ...draft, texts: left };
}

/** A ready message, in the languages of the draft; where it has none, in those that the room speaks, its own first. */
export function fromReady(ready: ReadyMessage, draft: Draft, { language: roomLanguage, languages }: RoomPages): Draft {
  const ofDraft = draft.texts.flatMap(({ language }) => language ?? []);
  const ofRoom = languages.flatMap(({ tag, of_room: isOfRoom }) => (isOfRoom && tag !== roomLanguage ? [tag] : []));
  const wanted = ofDraft.length > 0 ? ofDraft : [roomLanguage, ...ofRoom];
  const texts = wanted.flatMap((language) => {
    const text = ready.texts[language];
    return text === undefined ? [] : [{ language, text }];
  });
  const fallback = { language: roomLanguage, text: ready.texts[roomLanguage] ?? "" };
  return { severity: ready.severity, texts: texts.length > 0 ? texts : [fallback] };
}

/** The ready message that the draft is, word for word. */
function readyOf({ texts }: Draft, messages: readonly ReadyMessage[]): ReadyMessage | undefined {
  return messages.find((ready) =>
    texts.every(({ language, text }) => language !== null && ready.texts[language] === text),
  );
}

/** What a reader of one language sees of it, as the admin API takes it in an address; "" where that is nothing. */
export function messageFor(draft: Draft, language: string): string {
  const message = writeDraft(draft);
  if (message === null) return "";
  const { text } = typeof message === "string" ? { text: message } : message;
  const messages = typeof text === "string" ? null : text;
  const first = typeof text === "string" ? text : (Object.values(text)[0] ?? "");
  const selected = messageIn({ message: first, messages, message_severity: draft.severity }, language);
  const words = selected.language === "" ? selected.text : { [selected.language]: selected.text };
  return JSON.stringify({ text: words, severity: draft.severity });
}

/** What the operator is shown of it: in the first language that they read and it has, else its first. @param read tags of languages */
export function textFor({ texts }: Draft, read: readonly string[]): string {
  const textIn = (tag: string) => texts.find(({ language }) => tag === language || tag.split("-")[0] === language);
  return (read.map(textIn).find((text) => text !== undefined) ?? texts[0])?.text ?? "";
}
