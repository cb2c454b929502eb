import { expect, test } from "vitest";
import { readClientDocument, readRoomDocument } from "../../../../src/config/index.ts";

const place = { issuer: "https://queue.example.com", languages: ["en"], stores: [], rooms: [] };
const readings = {
  "a room": (document: object) => readRoomDocument(document, place),
  "its inlet": (inlet: object) => readRoomDocument({ id: "tickets", inlet }, place),
  "a client": (document: object) => readClientDocument(document, [place]),
};

test.each(Object.keys(readings) as (keyof typeof readings)[])(
  "of %s that is made at run time, the keys that are said to be allowed are",
  (kind) => {
    const linesOf = (document: object) => {
      const reading = readings[kind](document);
      return "faults" in reading ? reading.faults.map(({ path, message }) => `${path}: ${message}`) : [];
    };
    const unknown = linesOf({ nonsense: 1 }).find((line) => line.includes("unknown key")) ?? "";
    const allowed = /; allowed: (.*)$/.exec(unknown)?.[1]?.split(", ") ?? [];
    expect(allowed.length).toBeGreaterThan(5);
    for (const key of allowed) {
      expect(linesOf({ [key]: {} }).join("\n")).not.toMatch(/configuration file|unknown key|made by Usher/);
    }
  },
);
