/**
 * All that a page, or a script of it, takes from outside: answers, parts of scripts, messages, what is stored. Portals, proxies, caches and other
 * scripts may have put something else there. What is new here has to say what looks at its shape.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { countReads } from "../../../support/browser-reads.ts";

const browser = fileURLToPath(new URL("../../../../src/web/browser/", import.meta.url));
/** Both have readers and tests of their own. */
const others = /^(?:console|tag)\//;
const ofThePage = "what the server has written into the page";
const ofOwnWorker = "from a worker of ours; a script of something else ends in an error";
const ownRefusal = "readRefusal";
const numbersAlone = "numbers, by isFinite";
const unread = "asked for what the server does by it; nothing of it is read";
const anyThing = "whatever stands there means yes";

const looks: Readonly<Record<string, readonly string[]>> = {
  "check.ts": [ofThePage, ofOwnWorker],
  "claim.ts": ["asks", "state, held_by, ahead and poll_after_ms"],
  "device-key.ts": ["signing by anything but a key fails, and the page goes on without"],
  "draw-checker.ts": ["the record is read by readDrawDocument"],
  "draw-watch.ts": ["state and position"],
  "draw.ts": ["a list of draws; the checker reads the rest", ofOwnWorker],
  "entry.ts": [numbersAlone, numbersAlone],
  "later.ts": ["what throws is as good as not there"],
  "later/call.ts": [anyThing],
  "later/draw.ts": ["state", "compared as text"],
  "later/life.ts": [unread],
  "later/progress.ts": ["readPoints", "written alone"],
  "later/solve.ts": [ofOwnWorker],
  "meeting.ts": ["begins with the room and edition"],
  "move.ts": ["state and moved"],
  "of-rooms.ts": ["a list of pairs", "whoever takes an item looks at it"],
  "page-parts.ts": [numbersAlone, "a number above 0"],
  "push-subscription.ts": [...["asks", "state and error", "asks", "public_key", "asks", "asks", "page and language"]],
  "requests.ts": ["asks", "whoever called looks", "error is a text", ownRefusal],
  "status-poll.ts": ["asks", "readStatus"],
  "tries.ts": [numbersAlone, numbersAlone],
  "waiting.ts": [ofThePage, unread, anyThing],
  "while-waiting.ts": ["a document with a .slot"],
};

test("whatever is read is looked at", () => {
  const found: Record<string, number> = {};
  for (const name of readdirSync(browser, { recursive: true, encoding: "utf8" })) {
    const file = name.replaceAll("\\", "/");
    if (!/\.tsx?$/.test(file) || others.test(file)) continue;
    const count = countReads(readFileSync(join(browser, name), "utf8"));
    if (count > 0) found[file] = count;
  }
  const counts = Object.entries(looks).map(([file, each]) => [file, each.length]);
  expect(found).toEqual(Object.fromEntries(counts));
});
