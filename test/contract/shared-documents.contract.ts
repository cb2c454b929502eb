/** What every store must do with the documents that all processes share. Each store runs all of it from one tiny file. */
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { documentBytesMax } from "../../src/lib/json.ts";
import type { SharedDocuments } from "../../src/store/contract/room-store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const hourMs = 3_600_000;
const settling = (remainingMs: number) => ({ result: "settling", remainingMs });
const conflict = { result: "conflict" };
const ok = (version: number) => ({ result: "ok", version });

/** @param createHarness of a store that several processes share */
export function describeSharedDocuments(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as a store of shared documents`, () => {
    let harness: StoreHarness;
    let one: SharedDocuments;
    let other: SharedDocuments;

    beforeAll(async () => {
      harness = await createHarness();
      one = harness.store.documents;
      other = (await harness.second()).documents;
    });
    beforeEach(() => harness.wipe());
    afterAll(() => harness?.close());

    /** Writes `a1`, `a2`, … and answers the last. */
    async function writeVersions(count: number) {
      for (let version = 0; version < count; version++) {
        expect(await one.replace("a", `a${version + 1}`, version)).toEqual(ok(version + 1));
      }
      return { version: count, text: `a${count}` };
    }

    describe("a document", () => {
      it("is there for all once it is written, without waiting", async () => {
        expect(await one.exchange("a", null)).toBeNull();
        expect(await one.replace("a", "", 0)).toEqual(ok(1));
        expect(await other.exchange("a", null)).toEqual({ version: 1, text: "" });
        expect(await other.replace("a", "žluťoučký\u0000 🐎", 1)).toEqual(ok(2));
        expect(await one.exchange("a", { version: 1, text: "" })).toEqual({ version: 2, text: "žluťoučký\u0000 🐎" });
      });

      it("is not sent to a process that knows it, and keeps apart from the others", async () => {
        const known = await writeVersions(2);
        expect(await other.exchange("a", known)).toBe("unchanged");
        expect(await other.exchange("b", null)).toBeNull();
        expect(await other.replace("b", "b1", 0)).toEqual(ok(1));
        expect(await one.exchange("a", null)).toEqual(known);
      });

      it("is replaced only by a caller that knows the one in force", async () => {
        const known = await writeVersions(2);
        for (const expected of [0, 1, 3]) expect(await other.replace("a", "x", expected)).toEqual(conflict);
        expect(await one.exchange("a", known)).toBe("unchanged");
      });

      it.each([0, 1, 7])("is replaced once by fifty at the same instant, from version %i", async (version) => {
        await writeVersions(version);
        const calls = Array.from({ length: 50 }, (_, i) => (i % 2 ? one : other).replace("a", `by ${i}`, version));
        const results = await Promise.all(calls);
        const winner = results.findIndex(({ result }) => result === "ok");
        expect(results.filter(({ result }) => result === "conflict")).toHaveLength(49);
        expect(results[winner]).toEqual(ok(version + 1));
        expect(await one.exchange("a", null)).toEqual({ version: version + 1, text: `by ${winner}` });
      });

      it("loses none of the changes of fifty callers that try again", async () => {
        async function add(documents: SharedDocuments, line: string): Promise<void> {
          const answer = await documents.exchange("a", null);
          const { version, text } = answer === null || answer === "unchanged" ? { version: 0, text: "" } : answer;
          const { result } = await documents.replace("a", `${text}${line}\n`, version);
          if (result !== "ok") await add(documents, line);
        }
        const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`);
        await Promise.all(lines.map((line, i) => add(i % 2 ? one : other, line)));
        const last = await one.exchange("a", null);
        expect(last).toMatchObject({ version: 50 });
        expect((last as { text: string }).text.trim().split("\n").toSorted()).toEqual(lines.toSorted());
      });

      it("may have 4 MiB, and not a byte more: that is refused before anything is sent", async () => {
        const text = "é".repeat(documentBytesMax / 2);
        expect(await one.replace("a", text, 0)).toEqual(ok(1));
        expect(await other.exchange("a", null)).toEqual({ version: 1, text });
        // The same but for its last byte.
        const greater = `${text.slice(0, -1)}ê`;
        expect(await other.exchange("a", { version: 1, text: greater })).toBe("unchanged");
        expect(await one.exchange("a", { version: 1, text })).toEqual({ version: 1, text: greater });

        const sent = () => [...harness.store.commandCounts.values()].reduce((sum, count) => sum + count, 0);
        const before = sent();
        await expect(one.replace("a", `${text}.`, 1)).rejects.toThrow(TypeError);
        await expect(one.exchange("a", { version: 2, text: `${text}.` })).rejects.toThrow(/4194305 bytes/);
        expect(sent()).toBe(before);
      });
    });

    describe("an offer", () => {
      it("is in force again after a loss, and that of a process that lagged behind gives way", async () => {
        const known = await writeVersions(5);
        await harness.wipe();
        expect(await other.exchange("a", { version: 4, text: "a4" })).toBe("unchanged");
        expect(await one.exchange("a", known)).toBe("unchanged");
        expect(await other.exchange("a", { version: 4, text: "a4" })).toEqual(known);
        expect(await other.exchange("a", null)).toEqual(known);
      });

      it("does not displace a newer one", async () => {
        const known = await writeVersions(3);
        expect(await other.exchange("a", { version: 2, text: "zzz" })).toEqual(known);
        expect(await one.replace("a", "a4", 3)).toEqual(ok(4));
      });

      it("of the same version is taken if its text is greater, byte by byte, in either order", async () => {
        const text = fc.oneof(
          fc.constantFrom("", "a", "aa", "b", "\u0000", "a\u0000b", "a\u0000c", "é", "\uffee", "🐎", "ß", "A", "Z"),
          fc.string({ unit: "grapheme", maxLength: 40 }),
          fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }),
        );
        let count = 0;
        const decide = async (first: string, second: string) => {
          const document = `tie-${count++}`;
          await one.exchange(document, { version: 3, text: first });
          const answer = await other.exchange(document, { version: 3, text: second });
          const inForce = await one.exchange(document, null);
          expect(answer).toEqual(
            inForce === null || (inForce as { text: string }).text === second ? "unchanged" : inForce,
          );
          return inForce;
        };
        const walk = async (a: string, b: string) => {
          const greater = Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0 ? a : b;
          expect(await decide(a, b)).toEqual({ version: 3, text: greater });
          expect(await decide(b, a)).toEqual({ version: 3, text: greater });
        };
        // Of the first pair, JavaScript's own comparison says the other one.
        const examples: [string, string][] = [
          ["\uffee", "🐎"],
          ["a\u0000b", "a\u0000c"],
          ["", "\u0000"],
        ];
        await fc.assert(fc.asyncProperty(text, text, walk), { numRuns: 100, examples });
      });
    });

    describe("settling", () => {
      it("holds a change back for 2.5 s after a loss that an offer shows, and offers go on", async () => {
        const known = await writeVersions(5);
        await harness.wipe();
        await one.exchange("a", { version: 4, text: "a4" });
        expect(await one.replace("a", "x", 4)).toEqual(settling(2_500));
        await harness.advance(2_499);
        expect(await other.exchange("a", known)).toBe("unchanged");
        expect(await one.replace("a", "x", 4)).toEqual(settling(1));
        await harness.advance(1);
        expect(await one.replace("a", "x", 4)).toEqual(conflict);
        expect(await other.replace("a", "a6", 5)).toEqual(ok(6));
        expect(await other.replace("a", "a7", 6)).toEqual(ok(7));
      });

      it("begins by a change whose author has seen the document, and ends though nobody remembers it", async () => {
        await writeVersions(2);
        await harness.wipe();
        expect(await one.replace("a", "x", 2)).toEqual(settling(2_500));
        expect(await other.exchange("a", null)).toBeNull();
        expect(await other.replace("a", "x", 0)).toEqual(settling(2_500));
        await harness.advance(2_500);
        expect(await one.replace("a", "x", 2)).toEqual(conflict);
        expect(await one.exchange("a", null)).toBeNull();
        expect(await one.replace("a", "a1", 0)).toEqual(ok(1));
      });

      it("begins anew when a late process knows more, or something else", async () => {
        await one.replace("a", "by somebody who remembers nothing", 0);
        expect(await other.exchange("a", { version: 5, text: "a5" })).toBe("unchanged");
        expect(await one.replace("a", "x", 5)).toEqual(settling(2_500));
        await harness.advance(2_500);
        expect(await one.replace("a", "b6", 5)).toEqual(ok(6));
        expect(await other.exchange("a", { version: 6, text: "a6" })).toEqual({ version: 6, text: "b6" });
        expect(await other.replace("a", "x", 6)).toEqual(settling(2_500));
      });

      it("is not drawn out by processes that know more while it lasts", async () => {
        await one.exchange("a", { version: 1, text: "a1" });
        for (let version = 2; version < 7; version++) {
          await harness.advance(400);
          await other.exchange("a", { version, text: `a${version}` });
        }
        expect(await one.replace("a", "a7", 6)).toEqual(settling(500));
      });

      it.each([
        ["a question", () => other.exchange("a", null), 1_500],
        ["a question of one who knows it", () => other.exchange("a", { version: 2, text: "a2" }), 1_500],
        ["a change", () => other.replace("a", "x", 2), 1_500],
        ["nothing", async () => null, 2_500],
      ])("begins with another run of the server, though nothing was lost: seen by %s", async (_, ask, remainingMs) => {
        await writeVersions(2);
        await harness.save();
        await harness.restore();
        await ask();
        await harness.advance(1_000);
        expect(await one.replace("a", "a3", 2)).toEqual(settling(remainingMs));
        await harness.advance(remainingMs);
        expect(await one.replace("a", "a3", 2)).toEqual(ok(3));
        expect(await one.replace("a", "a4", 3)).toEqual(ok(4));
      });

      it("keeps an old snapshot from being changed before the newer document is offered", async () => {
        await writeVersions(1);
        await harness.save();
        await one.replace("a", "a2", 1);
        await one.replace("a", "a3", 2);
        await harness.restore();
        expect(await other.replace("a", "b2", 1)).toEqual(settling(2_500));
        expect(await one.exchange("a", { version: 3, text: "a3" })).toBe("unchanged");
        await harness.advance(2_500);
        expect(await other.replace("a", "b2", 1)).toEqual(conflict);
        expect(await other.exchange("a", { version: 1, text: "a1" })).toEqual({ version: 3, text: "a3" });
      });

      it("never delays a document that nobody has written, whichever run of the server answers", async () => {
        await harness.save();
        await harness.restore();
        expect(await one.exchange("a", null)).toBeNull();
        expect(await one.replace("a", "a1", 0)).toEqual(ok(1));
      });

      it("ends in time when the clock is set back by an hour, and at once when it is set forward", async () => {
        await one.exchange("a", { version: 1, text: "a1" });
        await harness.advance(1_000 - hourMs);
        expect(await one.replace("a", "a2", 1)).toEqual(settling(2_500));
        await harness.advance(2_000);
        expect(await one.replace("a", "a2", 1)).toEqual(settling(500));
        await harness.advance(hourMs);
        expect(await one.replace("a", "a2", 1)).toEqual(ok(2));
        // What has ended does not come back with an earlier time.
        await harness.advance(-hourMs);
        expect(await one.replace("a", "a3", 2)).toEqual(ok(3));
      });
    });
  });
}
