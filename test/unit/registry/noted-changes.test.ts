import { expect, it } from "vitest";
import { emptyContent, type RegistryContent } from "../../../src/registry/content.ts";
import { withNotes } from "../../../src/registry/noted-changes.ts";

/** Content that has changed so many times, each a millisecond behind the one before. */
function changed(before: RegistryContent, times: number, fromMs: number): RegistryContent {
  let content = before;
  for (let index = 0; index < times; index++) {
    const rooms = { [`room-${fromMs + index}`]: {} } as unknown as NonNullable<RegistryContent["rooms"]>;
    content = withNotes({ ...content, rooms: {} }, { ...content, rooms }, fromMs + index, fromMs + index);
  }
  return content;
}

it("keeps notes of hundreds of changes within a second, until each process has told them", () => {
  const busy = changed(emptyContent, 400, 1_000_000);
  expect(busy.changes?.map(({ version }) => version)).toEqual(
    Array.from({ length: 400 }, (_, index) => 1_000_000 + index),
  );
  const later = changed(busy, 1, 1_010_000);
  expect(later.changes).toHaveLength(100);
  expect(later.changes?.at(-1)?.version).toBe(1_010_000);
});

it("keeps no more than a thousand", () => {
  const { changes } = changed(emptyContent, 1_200, 1_000_000);
  expect(changes).toHaveLength(1_000);
  expect(changes?.[0]?.version).toBe(1_000_200);
});
