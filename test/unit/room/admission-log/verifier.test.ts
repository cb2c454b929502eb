import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  type ChainHead,
  LogVerifier,
  parseHead,
  readLine,
  sealLine,
  startOfChain,
} from "../../../../src/room/admission-log/index.ts";
import { counts, MadeLog } from "./made-log.ts";

function verify(lines: readonly string[], heads: readonly ChainHead[] = []) {
  const verifier = new LogVerifier(heads);
  for (const line of lines) verifier.take(line);
  return verifier.result();
}

/** Eleven lines: the base, what was in force, nine admissions. */
function tenRows(): MadeLog {
  const log = new MadeLog().state(600);
  for (let position = 1; position <= 9; position++) log.admission(position, position * 100);
  return log;
}

const at = <T>(list: readonly T[], index: number): T => {
  const value = list[index];
  if (value === undefined) throw new Error(`nothing at ${index}`);
  return value;
};

describe("the chain", () => {
  it("is SHA-256 over the previous hash in hex, a line break and the line without its hash", () => {
    const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
    const { lines } = tenRows();
    const start = sha256("usher admission log v1\ntickets");
    expect(JSON.parse(at(lines, 0))).toEqual({ kind: "base", room: "tickets", seq: 0, hash: start });
    const { hash, ...members } = JSON.parse(at(lines, 1));
    expect(hash).toBe(sha256(`${start}\n${JSON.stringify(members)}`));
    expect(JSON.parse(at(lines, 2)).hash).toBe(
      sha256(`${hash}\n${JSON.stringify({ ...JSON.parse(at(lines, 2)), hash: undefined })}`),
    );
  });

  it("is another one in every room", () => {
    expect(startOfChain("a").hash).not.toBe(startOfChain("b").hash);
  });
});

describe("the check of a log", () => {
  it("finds a whole log whole, and tells its extent", () => {
    const { lines, heads } = tenRows();
    expect(verify(lines)).toMatchObject({
      room: "tickets",
      rows: 10,
      first: 1,
      last: at(heads, 9),
      fault: null,
      missing: [],
    });
  });

  it("takes a part of a log for what it is", () => {
    const { lines, heads } = tenRows();
    const { seq, hash } = at(heads, 4);
    const part = [JSON.stringify({ kind: "base", room: "tickets", seq, hash }), ...lines.slice(6)];
    expect(verify(part)).toMatchObject({ rows: 5, first: 6, base: { seq: 5 }, fault: null, missing: [] });
  });

  it.each([1, 5, 10])("names line %i + 1 where anything of it was changed", (index) => {
    const { lines } = tenRows();
    const line = at(lines, index);
    for (const changed of [
      line.replace('"edition":7', '"edition":8'),
      line.replace('"at":"2031', '"at":"2030'),
      line.replace('{"seq"', '{ "seq"'),
    ]) {
      expect(changed).not.toBe(line);
      expect(verify(lines.with(index, changed)).fault).toMatchObject({
        line: index + 1,
        reason: expect.stringContaining("altered"),
      });
    }
  });

  it("names the line behind one that was changed together with its hash", () => {
    const { lines } = tenRows();
    const before = readLine(at(lines, 4));
    const own = readLine(at(lines, 5));
    if (before === null || own === null) throw new Error("no line");
    const text = own.text.replace('"position":4', '"position":400');
    expect(text).not.toBe(own.text);
    const hash = createHash("sha256").update(`${before.hash}\n${text}`).digest("hex");
    expect(verify(lines.with(5, sealLine(text, hash))).fault?.line).toBe(7);
  });

  it("names the line behind one that was removed", () => {
    const { lines } = tenRows();
    const fault = verify(lines.toSpliced(5, 1)).fault;
    expect(fault).toMatchObject({ line: 6, reason: expect.stringContaining("row 5 was removed") });
    expect(verify(lines.toSpliced(5, 3)).fault?.reason).toContain("rows 5 to 7 were removed");
  });

  it("names the first of two that were swapped, and one that was inserted", () => {
    const { lines } = tenRows();
    const swapped = lines.with(4, at(lines, 5)).with(5, at(lines, 4));
    expect(verify(swapped).fault?.line).toBe(5);
    expect(verify(lines.toSpliced(6, 0, at(lines, 3))).fault).toMatchObject({
      line: 7,
      reason: expect.stringContaining("inserted"),
    });
  });

  it.each([
    ["an empty file", [], 1],
    ["no JSON", ["hello"], 1],
    ["a log without its beginning", tenRows().lines.slice(1), 1],
    ["two logs in one", [...tenRows().lines, ...tenRows().lines], 12],
    ["a last line that is cut off", [...tenRows().lines.slice(0, -1), at(tenRows().lines, 10).slice(0, -20)], 11],
    ["a chain that begins elsewhere", [at(new MadeLog("other").lines, 0).replace("other", "tickets")], 1],
  ])("is not content with %s", (_name, lines, line) => {
    expect(verify(lines).fault?.line).toBe(line);
  });

  it("compares heads that were noted, since whoever rewrites a file can chain it anew", () => {
    const { heads } = tenRows();
    const forged = new MadeLog().state(600);
    for (let position = 1; position <= 9; position++) forged.admission(position === 3 ? 300 : position, position * 100);
    expect(verify(forged.lines).fault).toBeNull();
    const noted = [at(heads, 2), at(heads, 8), { seq: 44, hash: "0".repeat(64) }];
    expect(verify(forged.lines, noted).heads.map(({ result }) => result)).toEqual([
      "matches",
      "differs",
      "not_in_file",
    ]);
    expect(verify(tenRows().lines, noted).heads.map(({ result }) => result)).toEqual([
      "matches",
      "matches",
      "not_in_file",
    ]);
  });

  it("goes on behind a loss with the head that was remembered, and tells what is missing", () => {
    const before = tenRows();
    const remembered = { seq: 15, hash: "ab".repeat(32) };
    before
      .add({ kind: "recovery", heard: 18, after: remembered, counts: counts() }, 5_000, 100_019)
      .admission(20, 6_000);
    const result = verify(before.lines, [remembered]);
    expect(result.fault).toBeNull();
    expect(result.missing).toEqual([
      { from: 11, to: 100_018, recovery: { seq: 100_019, at: "2031-05-10T09:00:05.000Z", heard: 18 } },
    ]);
    expect(result.heads[0]?.result).toBe("matches");
  });

  it("is not fooled by a loss that goes on from a row that this file has otherwise", () => {
    const log = tenRows();
    log.add({ kind: "recovery", heard: 10, after: { seq: 10, hash: "ab".repeat(32) }, counts: counts() }, 0, 100_011);
    expect(verify(log.lines).fault?.line).toBe(12);
    expect(
      verify(tenRows().add({ kind: "recovery", heard: 10, after: null, counts: counts() }, 0, 100_011).lines).fault,
    ).toBeNull();
  });

  it("tells rows that the store has lost without a word", () => {
    const log = tenRows();
    log.add({ kind: "counts", counts: counts() }, 0, 14);
    expect(verify(log.lines)).toMatchObject({ fault: null, missing: [{ from: 11, to: 13, recovery: null }] });
  });
});

describe("a head on a command line", () => {
  it("is a number and 64 hex digits", () => {
    expect(parseHead(`12:${"AB".repeat(32)}`)).toEqual({ seq: 12, hash: "ab".repeat(32) });
    for (const text of ["12", "12:ab", `:${"ab".repeat(32)}`, `-1:${"ab".repeat(32)}`, `1:${"ag".repeat(32)}`]) {
      expect(parseHead(text)).toBeNull();
    }
  });
});
