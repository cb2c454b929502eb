import { expect, it } from "vitest";
import type { AdminKeysContent } from "../../../src/registry/admin-keys/content.ts";
import { withKeyChanges } from "../../../src/registry/admin-keys/notes.ts";
import { emptyContent, type RegistryContent } from "../../../src/registry/content.ts";
import { withRecordedChanges } from "../../../src/registry/noted-changes.ts";

/** Content that has changed so many times, each a millisecond behind the one before. */
function changed(before: RegistryContent, times: number, fromMs: number): RegistryContent {
  let content = before;
  for (let index = 0; index < times; index++) {
    const rooms = { [`room-${fromMs + index}`]: {} } as unknown as NonNullable<RegistryContent["rooms"]>;
    content = withRecordedChanges({ ...content, rooms: {} }, { ...content, rooms }, fromMs + index, fromMs + index);
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

it("has the role of a key that was revoked, also where every object has a member of its name", () => {
  const secrets = [{ sha256: "a".repeat(64), created_ms: 1, expires_ms: null }];
  const key = { role: "viewer" as const, rooms: null, note: null, secrets, created_by: "root", created_ms: 1 };
  const content = (keys: AdminKeysContent["keys"]): AdminKeysContent => ({ format: 1, keys });
  const noted = withKeyChanges(content({ constructor: { ...key, expires_ms: null } }), content({}), 2, 2);
  expect(noted.changes).toMatchObject([{ kind: "admin_key", id: "constructor", what: "revoked", role: "viewer" }]);
});
