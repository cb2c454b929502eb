/** What operators do with rooms by `usher`, at a real gateway. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { movementOf } from "../../../src/operate/commands/rooms/movement.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { runUsher, type Surroundings } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";

const viewerKey = "key-of-somebody-who-only-looks-0123456789";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [
    { id: "sale", inlet: { type: "manual", outflow_per_minute: 600 } },
    { id: "dangerous" },
    { id: "told", settings: { message: "From the file." } },
    { id: "watched" },
    { id: "steps" },
    { id: "empty", inlet: { type: "manual" } },
  ],
  config: {
    admin: {
      keys: [{ id: "looks", key_sha256: createHash("sha256").update(viewerKey).digest("hex"), role: "viewer" }],
    },
  },
}));
const keyed = (more: Surroundings = {}): Surroundings => ({
  ...more,
  env: { USHER_ADMIN: world().gateways[0]?.operatorsOrigin ?? "", USHER_ADMIN_API_KEY: ADMIN_KEY, ...more.env },
});
const usher = (...args: string[]) => runUsher(args, keyed());
const roomNow = async (room: string) =>
  (await world().admin.request("GET", `/rooms/${room}`)).json() as Record<string, unknown> & {
    settings: { message: unknown };
    settings_live: Record<string, unknown>;
  };

async function join(room: string, visitors: number): Promise<void> {
  for (let i = 0; i < visitors; i++) {
    const { status } = await world().http.request(`${world().issuer}/rooms/${room}/tickets`, { method: "POST" });
    expect(status).toBe(201);
  }
}

describe("usher status", () => {
  test("shows all rooms in a table", async () => {
    const { code, printed } = await usher("status");
    expect(code).toBe(0);
    expect(printed.split("\n")).toEqual([
      expect.stringMatching(/^ROOM +PHASE +SERVING +QUEUED +WAITING +INSIDE +PER MINUTE +LIMIT$/),
      expect.stringMatching(/^sale +open +0 +0 +0 +0 +0\.0 +600$/),
      ...["dangerous", "told", "watched", "steps", "empty"].map((room) =>
        expect.stringMatching(new RegExp(`^${room} .* none$`)),
      ),
    ]);
  });

  test("shows a room in lines, or what the gateway answers", async () => {
    const { printed } = await usher("status", "told");
    expect(printed).toMatch(/^room +told \(The room told\)\nphase +open\nline +serving 0 of 0, 0 waiting\n/);
    expect(printed).toMatch(/^message +From the file\.$/m);
    const { printed: json } = await usher("status", "told", "--json");
    expect(JSON.parse(json)).toMatchObject({ room: "told", phase: "open" });
  });

  test("says which rooms there are, and ends with 1, where there is none of the name", async () => {
    expect(await usher("status", "sael")).toMatchObject({ code: 1, failure: expect.stringContaining("unknown_room") });
  });
});

describe("a step", () => {
  test.each([
    ["prequeue", "prequeue"],
    ["open", "open"],
    ["pause", "paused"],
    ["resume", "open"],
    ["idle", "idle"],
  ])("%s is done at once, and the room is %s", async (step, phase) => {
    expect(await usher(step, "steps")).toMatchObject({
      code: 0,
      printed: expect.stringContaining(`steps is ${phase}:`),
    });
    expect(await roomNow("steps")).toMatchObject({ phase });
  });

  test.each<[string, RegExp]>([
    ["end", /2 people are waiting and would be turned away/],
    ["passthrough", /2 people are waiting and would enter at once/],
    ["reset", /2 places handed out would be void; 2 people are waiting/],
  ])("%s says whom it would hit, and is done on a yes only", async (step, stakes) => {
    await usher("reset", "dangerous", "--yes");
    await usher("open", "dangerous");
    await join("dangerous", 2);
    await expect.poll(async () => (await roomNow("dangerous")).waiting).toBe(2);
    const before = await roomNow("dangerous");
    for (const answers of [["no"], [""], ["y"], undefined]) {
      const run = await runUsher([step, "dangerous"], keyed(answers && { answers }));
      expect([run.code, run.asked[0] ?? run.failure]).toEqual([1, expect.stringMatching(stakes)]);
      expect(run.failure).toContain("Nothing was changed.");
    }
    expect(await roomNow("dangerous")).toMatchObject({ phase: "open", edition: before.edition, waiting: 2 });
    expect(await runUsher([step, "dangerous"], keyed({ answers: ["yes"] }))).toMatchObject({ code: 0 });
    const { phase, edition } = await roomNow("dangerous");
    expect(`${phase} ${edition === before.edition ? "same" : "new"} line`).toBe(
      { end: "ended same line", passthrough: "passthrough same line", reset: "open new line" }[step],
    );
  });

  test("is refused to a key that only looks, which changes nothing", async () => {
    const run = await runUsher(["pause", "sale"], keyed({ env: { USHER_ADMIN_API_KEY: viewerKey } }));
    expect(run).toMatchObject({ code: 1, failure: expect.stringContaining("forbidden") });
    expect(await roomNow("sale")).toMatchObject({ phase: "open" });
  });
});

describe("a change", () => {
  test("rate sets the limit, and gives it back to the file", async () => {
    expect(await usher("rate", "sale", "1200")).toMatchObject({
      code: 0,
      printed: "sale admits at most 1,200 a minute.",
    });
    expect(await roomNow("sale")).toMatchObject({ outflow_limit: 1_200 });
    expect(await usher("rate", "sale", "--from-file")).toMatchObject({ printed: "sale admits at most 600 a minute." });
  });

  test("call moves the line, forth and back, and once for each key", async () => {
    await join("sale", 3);
    const call = (...args: string[]) => usher("call", "sale", ...args);
    expect((await call("2", "--idempotency-key", "two")).printed).toMatch(/^sale: serving 2 of /);
    expect((await call("2", "--idempotency-key", "two")).printed).toMatch(/^sale: serving 2 of /);
    expect((await call("-1")).printed).toMatch(/^sale: serving 1 of /);
  });

  test("call into an empty line says who is called", async () => {
    expect((await usher("call", "empty", "5")).printed).toBe(
      "empty: nobody waits; the next 5 who come are called at once.",
    );
  });

  test("message is shown, in languages too, and taken away", async () => {
    await usher("message", "sale", "Seats are left.", "--severity", "warning");
    expect((await roomNow("sale")).settings.message).toEqual({ text: "Seats are left.", severity: "warning" });
    await usher("message", "sale", "--in", "en=Sold out.", "--in", "de=Ausverkauft.");
    expect((await roomNow("sale")).settings.message).toMatchObject({ text: { en: "Sold out.", de: "Ausverkauft." } });
    expect((await usher("message", "sale", "--clear")).printed).toBe("sale has no message.");
    expect((await roomNow("sale")).settings.message).toBeNull();
    await usher("message", "told", "Another.");
    expect((await usher("message", "told", "--clear")).printed).toBe("told shows the message of its file again.");
  });

  test("stock is told, ends the line at zero as the message may, and is taken away", async () => {
    expect((await usher("stock", "sale", "1200")).printed).toMatch(/^sale has 1,200 left\.\nsale is open: /);
    expect((await usher("stock", "sale", "0")).printed).toMatch(/^sale has 0 left\.\nsale is paused: /);
    await usher("message", "sale", "Gone.", "--severity", "sold_out", "--returns", "no");
    expect(await roomNow("sale")).toMatchObject({ phase: "ended", settings: { message: { returns: false } } });
    await usher("message", "sale", "--clear");
    expect((await usher("stock", "sale", "--clear")).printed).toMatch(/^sale tells no stock\.\nsale is open: /);
  });

  test("bypass makes a link", async () => {
    const { code, printed } = await usher("bypass", "sale", "--note", "lighting, for Kim");
    expect([code, printed]).toEqual([0, expect.stringMatching(/^http:\/\/\S+\/\S+\nIt works once, until 2\S+\.$/)]);
  });
});

describe("usher clients", () => {
  test("lists them, and shows one without its secret", async () => {
    const { printed } = await usher("clients", "list");
    expect(printed).toMatch(/^CLIENT +ROOMS +PROFILE +SOURCE +STATUS +SECRETS\n/);
    expect(printed).toMatch(/^site-sale +sale +generic +file +active +1$/m);
    const shown = await usher("clients", "show", "site-sale");
    expect(shown.printed).toMatch(
      /^client +site-sale \(file, active\)\n[\s\S]*^redirect +https:\/\/sale\.example\.test\/callback$/m,
    );
    expect(shown.printed).not.toContain("secret-of-the-site");
    expect(JSON.parse((await usher("clients", "list", "--json")).printed)).toHaveLength(6);
  });
});

/** Without what steers the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that begins with it
const plain = (text: string) => text.replace(/\u001b\[[?\d;]*[A-Za-z]/g, "");

describe("usher watch", () => {
  test("writes a line for each look into a pipe, and goes on while no gateway answers", async () => {
    const { code, printed } = await usher("watch", "watched", "--interval", "1", "--count", "2");
    expect(code).toBe(0);
    const line = /^2\S+Z watched phase=open serving=0 queued=0 waiting=0 inside=0 per_minute=0 limit=none$/;
    expect(printed.split("\n")).toEqual([expect.stringMatching(line), expect.stringMatching(line)]);
    const json = await usher("watch", "--json", "--count", "1");
    expect(json.printed.split("\n").map((text) => (JSON.parse(text) as { room: string }).room)).toContain("watched");
  });

  test("paints a table no wider and no higher than the window, and leaves it behind at Ctrl-C", async () => {
    const painted: string[] = [];
    const stop = new AbortController();
    const size = { columns: 40, rows: 6 };
    const screen = {
      size: () => size,
      write: (text: string) => {
        painted.push(text);
        if (text.includes("ROOM")) stop.abort();
      },
    };
    const run = await runUsher(["watch"], keyed({ screen, stop: stop.signal }));
    expect(run.code).toBe(0);
    const [enter, frame = "", leave] = painted;
    expect([enter, leave, painted.length]).toEqual(["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l", 3]);
    const lines = plain(frame).split("\r\n");
    expect(lines.length).toBeLessThanOrEqual(size.rows);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(size.columns);
    expect(lines.at(-1)).toMatch(/^… and \d more/);
    expect(run.printed).toMatch(/^ROOM[\s\S]*^watched /m);
  });

  test("paints lines at a terminal that does not say its size", async () => {
    const painted: string[] = [];
    const screen = { size: () => ({ columns: 0, rows: 0 }), write: (text: string) => void painted.push(text) };
    await runUsher(["watch", "--count", "1"], keyed({ screen }));
    expect(plain(painted.join(""))).toMatch(/ROOM +PHASE[\s\S]*watched +open/);
  });

  test("asks the gateway how a room moves, and does without where that is not said", async () => {
    const url = world().gateways[0]?.operatorsOrigin ?? "";
    const updatedAt = String((await roomNow("watched")).updated_at);
    const movement = await movementOf({ url, key: ADMIN_KEY }, "watched", updatedAt);
    expect(movement).toMatchObject({ entered: expect.any(Array), waiting: expect.any(Array) });
    expect(await movementOf({ url, key: ADMIN_KEY }, "nowhere", updatedAt)).toBeNull();
  });

  test("shows of one room how its line moves: a bar, and what there is to say, in colours unless nobody wants them", async () => {
    await world().gateways[0]?.waitUntilReady();
    const see = async (env: Record<string, string>) => {
      const painted: string[] = [];
      const screen = { size: () => ({ columns: 100, rows: 40 }), write: (text: string) => void painted.push(text) };
      const around = keyed({ screen });
      await runUsher(["watch", "watched", "--count", "1"], { ...around, env: { ...around.env, ...env } });
      return painted[1] ?? "";
    };
    const [coloured, bare] = [await see({}), await see({ NO_COLOR: "1" })];
    expect(coloured).toContain("phase   \u001b[32mopen\u001b[0m");
    expect(bare).not.toContain("\u001b[32m");
    for (const frame of [coloured, bare]) {
      expect(plain(frame)).toMatch(/\r\n[█░]{60}\r\n[\s\S]*line +serving 0 of 0/);
    }
    expect(await see({ NO_COLOR: "", TERM: "dumb" })).not.toContain("\u001b[32m");
  });
});

test.each<[string[], number, RegExp]>([
  [["rate", "sale"], 2, /give a rate, or --from-file/],
  [["rate", "sale", "5", "--from-file"], 2, /give a rate, or --from-file/],
  [["rate", "sale", "fast"], 2, /expected a whole number/],
  [["rate", "sale", "-5"], 1, /from 1 to 1000000/],
  [["call", "sale", "0"], 1, /another number than 0/],
  [["call", "sale", "1.5"], 2, /expected a whole number/],
  [["call", "sale"], 2, /missing required argument/],
  [["message", "sale"], 2, /give a text/],
  [["message", "sale", "x", "--clear"], 2, /give a text/],
  [["message", "sale", "--in", "Ausverkauft"], 2, /de=Ausverkauft/],
  [["message", "sale", "x", "--severity", "loud"], 2, /sold_out/],
  [["message", "sale", "x".repeat(501)], 1, /500/],
  [["message", "sale", "x", "--returns", "no"], 2, /--severity sold_out/],
  [["message", "sale", "x", "--returns", "maybe"], 2, /yes or no/],
  [["stock", "sale"], 2, /give a number, or --clear/],
  [["stock", "sale", "5", "--clear"], 2, /give a number, or --clear/],
  [["stock", "sale", "many"], 2, /expected a whole number/],
  [["stock", "sale", "-1"], 1, /from 0 to/],
  [["bypass", "sale", "--target", "https://elsewhere.example/"], 1, /target/],
  [["open", "../keys"], 1, /unknown_room|not_found/],
  [["pause", "nowhere"], 1, /unknown_room/],
  [["clients", "show", "nobody"], 1, /nobody|client/],
  [["watch", "nowhere"], 1, /unknown_room/],
  [["watch", "--interval", "0"], 2, /1 to 3600/],
  [["status", "--url", "ftp://x"], 2, /expected the address of a gateway/],
  [["status", "--url", "http://x", "--context", "y"], 2, /give one/],
  [["status", "--shout"], 2, /unknown option/],
  [["stat"], 2, /unknown command/],
])("usher %j ends with %i, and says what to do", async (args, code, words) => {
  const before = await roomNow("sale");
  expect(await usher(...args)).toMatchObject({ code, failure: expect.stringMatching(words) });
  const { version, serving, queued } = await roomNow("sale");
  expect({ version, serving, queued }).toEqual({
    version: before.version,
    serving: before.serving,
    queued: before.queued,
  });
});

test("a call that no gateway answered says how to send it again without calling twice", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { code, failure } = await runUsher(["call", "sale", "5", "--url", url], keyed());
  expect([code, failure]).toEqual([1, expect.stringMatching(/ECONNREFUSED[\s\S]*--idempotency-key [\w-]{36}$/)]);
});
