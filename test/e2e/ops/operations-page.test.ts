/**
 * docs/operations.md from top to bottom: each of its commands is sent as it stands there, and each section leaves the room as it
 * says.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type CurlCommand, curlSections, readPage } from "../../support/curl-lines.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { submitForm } from "../form.ts";
import { initiateLoginUri, memoryStore, startWorld, type World } from "../world.ts";

const page = readPage("docs/operations.md");
const sections = curlSections(page, { USHER_ADMIN: "http://127.0.0.1:3000", USHER_ADMIN_API_KEY: ADMIN_KEY });
const { rooms } = parse(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "") as { rooms: Record<string, unknown>[] };

let world: World;
beforeAll(async () => {
  const { id, inlet, ...settings } = rooms[0] as { id: string; inlet: Record<string, unknown> };
  world = await startWorld({ store: memoryStore, rooms: [{ id, inlet, settings }] });
});
afterAll(() => world?.stop());

type Answer = Record<string, unknown>;

/** The number of the visitor who calls on the page, and of the one who joined for it here. */
const numberOnPage = "4711";
let caller: string;

async function send({ method, url, headers, body }: CurlCommand): Promise<Answer> {
  const options = { method, headers, ...(body !== undefined && { body }) };
  const path = url.pathname.replace(`/visitors/${numberOnPage}`, () => `/visitors/${caller}`);
  const answer = await world.http.request(`${world.issuer}${path}${url.search}`, options);
  expect([answer.status, answer.body]).toEqual([/\/(bypass|debug-link)$/.test(path) ? 201 : 200, expect.any(String)]);
  return answer.json() as Answer;
}

/** A visitor without a browser. */
async function join(): Promise<Answer> {
  return (await world.http.request(`${world.issuer}/rooms/tickets/tickets`, { method: "POST" })).json() as Answer;
}

interface SectionCheck {
  /** What the section takes for granted. */
  readonly before?: () => Promise<void>;
  /** What its commands leave behind. */
  readonly after: Answer;
  /** What is tried between them. */
  readonly between?: Record<string, (answer: Answer) => Promise<void>>;
}

const sectionChecks: Record<string, SectionCheck> = {
  "The day before": {
    after: { phase: "idle", outflow_limit: 500, settings_file: { inlet: { outflow_per_minute: 600 } } },
    between: {
      "GET /admin/rooms/tickets": async (answer) =>
        expect(answer).toMatchObject({
          settings: { schedule: { opens_at: "2031-05-10T10:00:00+02:00", time_zone: "Europe/Berlin" } },
        }),
      "GET /rooms/tickets/draw": async (answer) =>
        expect(answer).toMatchObject({ order: "random", draws: [{ stage: "committed", seed: null }] }),
    },
  },
  "A test login": {
    after: { phase: "idle", opens_at: "2031-05-10T08:00:00.000Z", counts: { passed: 1 } },
    between: {
      "POST /admin/rooms/tickets/passthrough": async () => {
        const { claims } = await world.relyingParty("tickets").login(world.visitor());
        expect(claims.admitted_via).toBe("passthrough");
      },
      "GET /admin/rooms/tickets/admissions": async (answer) => {
        expect(answer).toMatchObject({ admissions: [{ status: "live", admitted_via: "passthrough" }] });
        // One in so many seconds is told with one decimal.
        const { outflow_per_minute } = (await world.admin.request("GET", "/rooms/tickets")).json() as Answer;
        expect(String(outflow_per_minute)).toMatch(/^[1-9]\d*(\.\d)?$|^0\.[1-9]$/);
      },
    },
  },
  Postponing: {
    after: { phase: "idle", prequeue_at: "2031-05-10T08:30:00.000Z", opens_at: "2031-05-10T09:00:00.000Z" },
    between: {
      "PATCH /admin/rooms/tickets": async (answer) => expect(answer.warnings).toEqual([]),
    },
  },
  Opening: {
    after: { phase: "open", queued: 1 },
    between: {
      "POST /admin/rooms/tickets/prequeue": async () => {
        expect(await join()).toMatchObject({ state: "entered", position: 1 });
      },
      "POST /admin/rooms/tickets/open": async () => {
        // Here a later opening alone would change nothing.
        const later = { schedule: { opens_at: "2031-05-10T12:00" } };
        const answer = (await world.admin.request("PATCH", "/rooms/tickets", later)).json() as Answer;
        expect(answer.warnings).toEqual([expect.stringMatching(/^schedule\.opens_at: .* will change nothing/)]);
      },
    },
  },
  "Slower or faster": {
    after: { outflow_limit: 600, outflow_per_minute: expect.any(Number) },
    between: {
      "POST /admin/rooms/tickets/serving": async (answer) => expect(answer.serving).toBeGreaterThanOrEqual(50),
    },
  },
  "Telling everybody": {
    after: { phase: "open", settings: { message: null } },
    between: {
      "PATCH /admin/rooms/tickets": async (answer) => {
        const shown = (answer.settings as Answer).message;
        const soldOut = { en: "Saturday is sold out.", de: "Samstag ist ausverkauft." };
        expect([null, "Seats in all categories are left.", { text: soldOut, severity: "warning" }]).toContainEqual(
          shown,
        );
      },
    },
  },
  "Sold out, and stock": {
    after: { phase: "open", holds: [], stock: null, settings: { message: null } },
    between: {
      "PATCH /admin/rooms/tickets": async (answer) => {
        const { message } = answer.settings as Answer;
        expect(answer).toMatchObject(
          message === null ? { phase: "open" } : { phase: "ended", phase_reason: "sold_out" },
        );
      },
      "PUT /admin/rooms/tickets/stock": async (answer) => expect([9_120, null]).toContain(answer.remaining),
    },
  },
  Stopping: {
    after: { phase: "open", holds: [], settings: { message: null } },
    between: {
      "POST /admin/rooms/tickets/pause": async (answer) => expect(answer).toMatchObject({ phase: "paused" }),
      "PATCH /admin/rooms/tickets": async (answer) =>
        expect([null, { text: "Payment is down. We go on at about 11:30.", severity: "warning" }]).toContainEqual(
          (answer.settings as Answer).message,
        ),
    },
  },
  "Staff past the line": {
    after: { phase: "open", counts: { bypassed: 1 } },
    between: {
      "POST /admin/rooms/tickets/bypass": async ({ url, note }) => {
        expect(note).toBe("lighting, for Kim");
        const visitor = world.visitor();
        const opened = await visitor.navigate(String(url));
        const entered = await submitForm(visitor, opened, ({ origin }) => origin !== world.issuer);
        expect(entered.location?.href).toBe(initiateLoginUri("tickets"));
        const { claims } = await world.relyingParty("tickets").login(visitor);
        expect(claims.admitted_via).toBe("bypass");
        await expect
          .poll(async () => (await world.admin.request("GET", "/rooms/tickets")).json())
          .toMatchObject({
            counts: { bypassed: 1 },
          });
      },
    },
  },
  "A visitor calls": {
    before: async () => {
      caller = String((await join()).position);
    },
    after: { phase: "open" },
    between: {
      [`GET /admin/rooms/tickets/visitors/${numberOnPage}`]: async (answer) =>
        expect(answer).toMatchObject({ state: expect.any(String), why: { text: expect.any(String) } }),
      [`POST /admin/rooms/tickets/visitors/${numberOnPage}/debug-link`]: async (answer) =>
        expect(answer).toMatchObject({ url: expect.stringMatching(/\/admin\/debug-link\?token=/) }),
    },
  },
  "Letting everybody in": {
    after: { phase: "open", waiting: 0 },
    between: {
      "POST /admin/rooms/tickets/passthrough": async (answer) =>
        expect(answer).toMatchObject({ phase: "passthrough", waiting: 0 }),
    },
  },
  Ending: {
    after: { phase: "ended" },
    between: {
      // What a live change leaves for the next sale.
      "POST /admin/rooms/tickets/end": async () => {
        await world.admin.change("tickets", { inlet: { outflow_per_minute: 550 } });
      },
    },
  },
  "What happened": {
    after: { phase: "ended" },
    between: {
      "GET /admin/rooms/tickets/statistics": async (answer) =>
        expect(answer).toMatchObject({ room: "tickets", step_seconds: 60 }),
      "GET /admin/rooms/tickets/forecast": async (answer) => expect(answer).toMatchObject({ room: "tickets" }),
    },
  },
  "The next sale": {
    after: { phase: "idle", queued: 0, serving: 0, warnings: [], opens_at: "2032-03-01T09:00:00.000Z" },
    between: {
      "POST /admin/rooms/tickets/reset": async (answer) => expect(answer).toMatchObject({ queued: 0, serving: 0 }),
      "GET /admin/rooms/tickets": async (answer) =>
        expect(answer).toMatchObject({ phase: "ended", settings_live: { inlet: { outflow_per_minute: 550 } } }),
      "PATCH /admin/rooms/tickets": async (answer) => {
        expect(Object.keys(answer.settings_live as object)).toEqual(["schedule"]);
        expect(answer.warnings).toEqual([]);
      },
    },
  },
};

describe("the day of the sale", () => {
  test("has a check for each section with commands", () => {
    expect(sections.map(({ heading }) => heading)).toEqual(Object.keys(sectionChecks));
  });

  for (const { heading, commands } of sections) {
    test(`${heading}: the commands do what they say`, async () => {
      const { before, after, between = {} } = sectionChecks[heading] ?? { after: {} };
      await before?.();
      const left = new Set(Object.keys(between));
      for (const command of commands) {
        const name = `${command.method} ${command.url.pathname}`;
        const answer = await send(command);
        await between[name]?.(answer);
        left.delete(name);
      }
      expect([...left]).toEqual([]);
      const room = (await world.admin.request("GET", "/rooms/tickets")).json();
      expect(room).toMatchObject(after);
    });
  }
});
