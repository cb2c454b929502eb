import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addVerifyDrawCommand } from "../../../../src/features/verify-draw/commands.ts";
import * as made from "../../../unit/room/draw-recipe/made-draw.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "usher-verify-draw-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A file with the text, or with the value as JSON. */
function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** What is printed, and the message with which the command fails, null where it does not. */
async function verifyDraw(...args: string[]): Promise<{ printed: string; failure: string | null }> {
  const printed: string[] = [];
  const program = new Command("usher").exitOverride().configureOutput({ writeErr: () => {} });
  addVerifyDrawCommand(program, { print: (text) => printed.push(text) });
  const failure = await program.parseAsync(["verify-draw", ...args], { from: "user" }).then(
    () => null,
    (error: Error) => error.message,
  );
  return { printed: printed.join("\n"), failure };
}

describe("usher verify-draw", () => {
  it("says in sentences that a draw is genuine, and where the holder of a receipt stands", async () => {
    const place = made.positionOf(17);
    const document = file("genuine.json", made.documentOf());
    const args = ["--receipt", made.receiptText(), "--position", String(place), `--key=${made.receiptKey.kid}`];
    const { printed, failure } = await verifyDraw(document, ...args);
    expect(failure).toBeNull();
    expect(printed.split("\n")).toEqual([
      "ok       record    The room has signed what is said of the draw.",
      "ok       key       It is signed with the key that you named.",
      "ok       seed      The seed is the one that was committed to.",
      "ok       numbers   37 took part, with the numbers 1…40.",
      "ok       chain     The beacon is drand's quicknet.",
      "ok       round     Round 1000 is the first that is published six seconds after the last entry, or later.",
      "ok       beacon    The chain has signed round 1000, and the random number is its signature's.",
      "ok       receipt   The receipt (entry 17) is the room's, and fits the draw.",
      `ok       place     Entry 17 has the place that was reported, ${place}.`,
      "",
      `Entry 17 (visitor visitor-17) has place ${place}; 37 took part.`,
      "",
      "Nothing is wrong, by 9 checks.",
    ]);
  });

  it("fails, and says what is wrong", async () => {
    const document = file(
      "tampered.json",
      made.tampered((draw) => Object.assign(draw, { last: 41, entries: 38 })),
    );
    const { printed, failure } = await verifyDraw(document);
    expect(printed).toContain(
      "FAILED   record    The document does not say what the room has signed: last, entries.\n",
    );
    expect([failure, printed.split("\n").at(-1)]).toEqual(Array(2).fill("1 of 6 checks failed: do not trust this."));
  });

  it("accuses nobody where there was no draw, and passes nothing", async () => {
    const { printed, failure } = await verifyDraw(file("no-draw.json", { ...made.documentOf(), draws: [] }));
    expect(printed).toContain("FAILED   contents  The document has no draw that could be checked");
    expect(failure).toBe("There is nothing to check.");
  });

  it("passes with warnings", async () => {
    const { printed, failure } = await verifyDraw(file("no-beacon.json", made.documentOf({ beacon: null })));
    expect(failure).toBeNull();
    expect(printed).toContain("WARNING  beacon    No public beacon was announced");
    expect(printed).toContain("Nothing is wrong, by 4 checks. There is 1 warning.");
  });

  it("says which draw is meant, where there are several", async () => {
    const first = made.documentOf();
    const second = made.documentOf({ id: 2, first: 41, last: 42, stage: "closed", seed: null, gaps: [], entries: 2 });
    const { printed } = await verifyDraw(file("two.json", { ...first, draws: [...first.draws, ...second.draws] }));
    expect(printed).toContain("ok       record    Draw 2: The room has signed");
  });

  it("takes receipts from files too, several at a time", async () => {
    const document = file("document.json", made.documentOf());
    const receipts = file("receipts.txt", `\uFEFF${made.receiptText()}\n\n${made.receiptText({ iat: 0 })}\n`);
    const other = made.receiptText({ entry: 18, sub: "visitor-18", position: made.positionOf(18) });
    const { printed, failure } = await verifyDraw(document, "--receipt", receipts, "--receipt", other);
    expect(failure).toBeNull();
    expect(printed.match(/^Entry .*$/gm)).toEqual([
      `Entry 17 (visitor visitor-17) has place ${made.positionOf(17)}; 37 took part.`,
      `Entry 17 (visitor visitor-17) has place ${made.positionOf(17)}; 37 took part.`,
      `Entry 18 (visitor visitor-18) has place ${made.positionOf(18)}; 37 took part.`,
    ]);
  });

  it("takes a receipt as the JSON API answers it", async () => {
    const document = file("document.json", made.documentOf());
    const { printed, failure } = await verifyDraw(
      document,
      "--receipt",
      file("receipt.json", { receipt: made.receiptText() }),
    );
    expect(failure).toBeNull();
    expect(printed).toContain("The receipt (entry 17) is the room's, and fits the draw.");
  });

  it("prints JSON for programs, and fails just the same", async () => {
    const document = file("genuine.json", made.documentOf());
    const { printed, failure } = await verifyDraw(document, "--receipt", made.receiptText({ entry: 41 }), "--json");
    expect(failure).toBe("1 of 7 checks failed: do not trust this.");
    expect(JSON.parse(printed)).toMatchObject({
      genuine: false,
      checks: expect.arrayContaining([
        { name: "receipt", draw: 1, status: "failed", text: expect.stringContaining("not among 1…40") },
      ]),
      places: [{ receipt: 1, draw: 1, sub: "visitor-17", entry: 41, position: null, entries: 37 }],
    });
  });

  it("lets nobody who wrote a receipt steer the terminal", async () => {
    const document = file("genuine.json", made.documentOf());
    const receipt = made.receiptText({ sub: "\u001b[2Jx", room: "\u009b2J\nok" });
    const { printed } = await verifyDraw(document, "--receipt", receipt);
    expect(printed).toContain("visitor ?[2Jx");
    expect(printed).toContain("of the room ?2J?ok");
  });

  it.each([
    ["no-such.json", [], /^there is no file .*no-such\.json$/],
    ["", [], /cannot be read \(EISDIR\)$/],
    ["text.json", ["{"], /text\.json is no JSON: save what GET \/rooms\/ROOM\/draw answers$/],
    ["other.json", [{ keys: [] }], /other\.json is no record of a draw: issuer: expected a text$/],
  ])("says what is wrong with the file %j", async (name, contents, message) => {
    for (const content of contents) file(name, content);
    const { printed, failure } = await verifyDraw(join(folder, name));
    expect(printed).toBe("");
    expect(failure).toMatch(message);
  });

  it.each([
    [["--receipt", "no-such.txt"], "there is no file no-such.txt"],
    [["--receipt", "EMPTY"], "expected a receipt"],
    [["--receipt", "OTHER"], "other.txt holds no receipt: expected the text that begins with eyJ"],
    [["--position", "0"], "expected a place in line"],
    [["--key", "short"], "expected a thumbprint, 43 characters"],
  ])("refuses %j", async (options, message) => {
    const document = file("genuine.json", made.documentOf());
    const files = new Map([
      ["EMPTY", file("empty.txt", "\n")],
      ["OTHER", file("other.txt", "# Usher\n\nA virtual waiting room\n")],
    ]);
    const args = options.map((option) => files.get(option) ?? option);
    const { printed, failure } = await verifyDraw(document, ...args);
    expect(printed).toBe("");
    expect(failure).toContain(message);
  });

  it("fetches nothing", async () => {
    const url = "https://queue.example.com/rooms/autumn-tour/draw";
    expect((await verifyDraw(url)).failure).toBe(
      `nothing is fetched here: save the document first, with curl -o draw.json ${url}`,
    );
  });

  it("prints the example of docs/draw.md", async () => {
    const guide = readFileSync(new URL("../../../../docs/draw.md", import.meta.url), "utf8");
    const blocks = [...guide.matchAll(/```(?:sh)?\n([\s\S]*?)```/g)].map(([, text = ""]) => text);
    const place = /--position (\d+)/.exec(guide)?.[1] ?? "";
    const document = file("example.json", made.documentOf());
    const { printed } = await verifyDraw(document, "--receipt", made.receiptText(), "--position", place);
    expect(blocks).toContain(`${printed}\n`);
  });
});
