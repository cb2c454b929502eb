/** Cells that the lists of several kinds of records have. */
import { useConsole } from "../frame/console.ts";
import type { Localized } from "../frame/speech.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import type { Column } from "../parts/list-table.tsx";

/** A state, in colour and words. */
export function State({ tone, text }: { readonly tone: "good" | "look" | "act" | ""; readonly text: Localized }) {
  const { speech } = useConsole();
  return <span class={`state state-${tone}`}>{speech.text(text)}</span>;
}

export const roomsColumn: Column<{ readonly rooms: readonly string[] | null }> = {
  title: frameTexts.rooms,
  cell: ({ rooms }, { speech }) => rooms?.join(", ") ?? speech.text(frameTexts.allRooms),
};

export const sourceColumn: Column<{ readonly source: keyof typeof frameTexts.record.sources }> = {
  title: frameTexts.record.source,
  cell: ({ source }, { speech }) => speech.text(frameTexts.record.sources[source]),
};

export const roleColumn: Column<{ readonly role: keyof typeof frameTexts.roles }> = {
  title: frameTexts.record.role,
  cell: ({ role }, { speech }) => speech.text(frameTexts.roles[role]),
};
