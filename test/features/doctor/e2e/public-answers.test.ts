/** What a part of the configuration says that an issuer answers, shown by a made-up part. */
import { expect, test } from "vitest";
import { loadConfig, mapping, settingsPart, text } from "../../../../src/config/index.ts";
import { checkRunning } from "../../../../src/features/doctor/running.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";

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
