/** What a part of the configuration says that an issuer answers, shown by a made-up part. */
import { expect, test } from "vitest";
import { loadConfig, mapping, settingsPart, text } from "../../../../src/config/index.ts";
import { check, startDoctor } from "../../../../src/features/doctor/room-checks.ts";
import { checkRunning } from "../../../../src/features/doctor/running.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { createMovedClock } from "../../../support/moved-clock.ts";

const stall = settingsPart({
  key: "stall",
  isPerIssuer: true,
  schema: mapping({ target: text("a path", 100) }).optional(),
  read: (written) => written ?? null,
  publicAnswers: (value: { readonly target: string } | null) =>
    value === null
      ? []
      : [
          {
            about: "stall",
            rooms: ["tickets"],
            target: value.target,
            status: 200,
            findFault: ({ text: body }) => (body.includes('"serving"') ? null : "there is no serving. Look there"),
          },
        ],
});
const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "tickets" }] }));

test.each([
  [
    { stall: { target: "/rooms/tickets/status" } },
    /^ok Clients get what they expect at http.*\/rooms\/tickets\/status\.$/,
  ],
  [{ stall: { target: "/elsewhere" } }, /^fault .*it answers 404\. Let the proxy pass path and query on/],
  [{ stall: { target: "/healthz" } }, /^fault .*\/healthz: there is no serving\. Look there\.$/],
  [{}, null],
])("is asked for from outside: %j", async (ofStall, expected) => {
  const document = { issuer: world().issuer, rooms: [{ id: "tickets" }], ...ofStall };
  const { config } = await loadConfig({ document, env: {}, parts: [stall] });
  const findings = await checkRunning(config, { gateway: null, keys: new Map(), site: undefined }, [stall]);
  const found = findings.filter(({ about }) => about === "stall").map((each) => `${each.status} ${each.text}`);
  expect(found).toEqual(expected === null ? [] : [expect.stringMatching(expected)]);
});

test("a gateway asks for those of the room that it checks, and for no other's", async () => {
  const { issuer } = world();
  const document = { issuer, rooms: [{ id: "tickets" }, { id: "other" }], stall: { target: "/elsewhere" } };
  const { config } = await loadConfig({ document, env: {}, parts: [stall] });
  const doctor = startDoctor({
    ...({ rooms: {}, issuers: [], random: {} } as unknown as Parameters<typeof startDoctor>[0]),
    config,
    parts: [stall],
    store: { clock: createMovedClock(Date.now()), documents: {} } as never,
    issuerOf: () => ({ issuer, clients: { all: [] } }) as never,
  });
  const of = async (room: string) => {
    const findings = await check({ id: room } as never, { id: "somebody" } as never, doctor);
    expect(findings.some(({ about }) => about === "discovery")).toBe(true);
    return findings.filter(({ about }) => about === "stall").map((each) => each.status);
  };
  expect(await of("tickets")).toEqual(["fault"]);
  expect(await of("other")).toEqual([]);
});
