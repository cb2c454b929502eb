import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { createRequestIds, createStrayId, isRequestIdShape } from "../../../../src/features/aws-home/request-id.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

const issuer = "https://queue.example";
const key = (name: string) => ({ kid: name, secret: Buffer.from(name.padEnd(32, "x")) });
const random = createSeededRandom("aws-home");
const make = (more: Partial<Parameters<typeof createRequestIds>[0]> = {}) =>
  createRequestIds({ issuer, room: "tickets", line: "", keys: () => [key("a")], random, ...more });
const ids = make();
const edition = 1_900_000_000;
const claimMs = 1_900_000_123_456;
const now = { edition, claimMs };
const place = { edition, number: 4_711, joinedMs: 1_900_000_100_000 };
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it.each([
  { number: 1, joinedMs: 1_900_000_123_000 },
  { number: 2 ** 35 - 1, joinedMs: 1_800_000_000_000 },
  { number: 4_095, joinedMs: 1_900_000_123_456 - 400 * 86_400_000 },
  { number: 4_096, joinedMs: 1_910_000_000_000 },
])("holds the place $number, joined at $joinedMs", (some) => {
  const id = ids.encode({ edition, ...some });
  expect(id).toMatch(uuid4);
  const joinedMs = Math.ceil(some.joinedMs / 1_000) * 1_000;
  expect(ids.decode(id, now)).toEqual({
    sub: expect.stringMatching(/^tickets\.[\w-]{22}$/),
    edition,
    ...some,
    joinedMs,
  });
});

it("rounds the time of the join up, so that no turn ends early, and reads it on a clock that was at 0", () => {
  const id = ids.encode({ edition: 1, number: 3, joinedMs: 1_001 });
  expect(ids.decode(id, { edition: 1, claimMs: 5_000 })?.joinedMs).toBe(2_000);
});

it("names a visitor who needs no place by chance, each another one", () => {
  const some = Array.from({ length: 1_000 }, () => ids.encode({ edition, number: 0, joinedMs: 0 }));
  const subs = some.map((id) => ids.decode(id, now)?.sub);
  expect(new Set(subs).size).toBe(1_000);
  expect(ids.decode(some[0] ?? "", now)).toMatchObject({ number: 0, joinedMs: 0, edition });
});

it("refuses a number that does not fit", () => {
  expect(() => ids.encode({ ...place, number: 2 ** 35 })).toThrow(TypeError);
  expect(() => ids.encode({ ...place, number: -1 })).toThrow(TypeError);
});

it("makes distinct ids and visitors for distinct places", () => {
  const seen = new Set<string>();
  for (let number = 1; number <= 20_000; number++) seen.add(ids.encode({ ...place, number }));
  expect(seen.size).toBe(20_000);
  const subs = new Set([...seen].map((id) => ids.decode(id, now)?.sub));
  expect(subs.size).toBe(20_000);
});

it("is refused with any single bit flipped", () => {
  const hex = ids.encode(place).replaceAll("-", "");
  for (let bit = 0; bit < 128; bit++) {
    const bytes = Buffer.from(hex, "hex");
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (0x80 >> (bit & 7));
    expect(ids.decode(dashed(bytes), now), `bit ${bit}`).toBeNull();
  }
});

/** Ten ways in which an id may be forged, each from a genuine one. */
const forgeries: Readonly<Record<string, (bytes: Buffer, at: number) => string>> = {
  "another number, the same MAC": (bytes, at) => changed(bytes, (copy) => copy.writeUInt32BE(at * 7 + 1, 0)),
  "another second": (bytes, at) => changed(bytes, (copy) => copy.writeUInt16BE(0x4000 + ((at * 13 + 1) % 4_096), 6)),
  "another edition": (bytes, at) =>
    changed(bytes, (copy) => copy.writeUInt8((copy[9] ?? 0) ^ (((at % 63) + 1) << 2), 9)),
  "another MAC": (bytes) => changed(bytes, (copy) => randomBytes(6).copy(copy, 10)),
  "a MAC of zeros": (bytes) => changed(bytes, (copy) => copy.fill(0, 10)),
  "the MAC of another place": (bytes, at) =>
    changed(bytes, (copy) => bytesOf(ids.encode({ ...place, number: 100_000 + at })).copy(copy, 9, 9)),
  chance: () => createStrayId(random),
  "of another key": (_, at) => make({ keys: () => [key("b")] }).encode({ ...place, number: at + 1 }),
  "of another room": (_, at) => make({ room: "other" }).encode({ ...place, number: at + 1 }),
  "of another issuer or line": (_, at) =>
    make(at % 2 === 0 ? { line: "l" } : { issuer: "https://r.example" }).encode({ ...place, number: at + 1 }),
};

it.each(Object.keys(forgeries))("refuses a thousand forgeries: %s", (name) => {
  const forge = forgeries[name];
  for (let at = 0; at < 1_000; at++) {
    const genuine = bytesOf(ids.encode({ ...place, number: 500_000 + at }));
    expect(ids.decode(forge?.(genuine, at) ?? "", now), `${name} ${at}`).toBeNull();
  }
});

it.each(["", "x", "1".repeat(36), `${"a".repeat(8)}-bbbb-4ccc-8ddd-${"e".repeat(12)}`, `${ids.encode(place)} `])(
  "reads %j as none",
  (text) => expect(ids.decode(text, now)).toBeNull(),
);

it("is not read in capitals, nor in another edition, even one with the same six bits", () => {
  const id = ids.encode(place);
  expect(ids.decode(id.toUpperCase(), now)).toBeNull();
  expect(ids.decode(id, { edition: edition + 1, claimMs })).toBeNull();
  expect(ids.decode(id, { edition: edition + 64, claimMs })).toBeNull();
});

it("stays the same visitor's while keys are rotated, until its key is out", () => {
  let ring = [key("a")];
  const rotated = make({ keys: () => ring });
  const id = rotated.encode(place);
  const before = rotated.decode(id, now);
  ring = [key("b"), key("a")];
  expect(rotated.decode(id, now)).toEqual(before);
  expect(rotated.encode(place)).not.toBe(id);
  ring = [key("b")];
  expect(rotated.decode(id, now)).toBeNull();
});

it.each([
  ["00000000-0000-0000-0000-000000000000", true],
  ["abcdefgh-ijkl-mnop-qrst-uvwxyz012345 and more", true],
  ["0000000-0000-0000-0000-000000000000", false],
  [" 00000000-0000-0000-0000-000000000000", false],
  ["", false],
])("has the contract's shape: %j: %s", (text, expected) => expect(isRequestIdShape(text)).toBe(expected));

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll("-", ""), "hex");
}

function changed(bytes: Buffer, change: (copy: Buffer) => unknown): string {
  const copy = Buffer.from(bytes);
  change(copy);
  return dashed(copy);
}

function dashed(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
