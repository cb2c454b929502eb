// Long: restarts with other files; ops.test.ts has live settings beside those of the file.
/** At start, a line of the log says which live changes are in force over the file, and another which of its values another file changed. */
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { redisDatabase } from "../../support/shared-redis.ts";

interface Line {
  event?: string;
  message?: string;
  room?: string;
  differences?: Record<string, unknown>;
}

function linesOf(gateway: Gateway): Line[] {
  const lines = gateway.output().split("\n");
  // The last one may have come in part.
  return lines
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Line);
}

test("a restarted gateway names the settings that live changes override", async () => {
  const redis = await redisDatabase();
  const gateway = await startGateway({
    config: {
      store: { type: "redis", url: redis.url },
      rooms: [{ id: "changed", inlet: { type: "periodic", outflow_per_minute: 600 } }, { id: "plain" }],
      clients: [],
    },
  });
  const lines = (event: string) => linesOf(gateway).filter((line) => line.event === event);
  const http = createHttpClient();
  try {
    await createAdmin(http, gateway.origin).change("changed", {
      inlet: { outflow_per_minute: 900 },
      schedule: { ends_at: "2031-05-10T23:00", time_zone: "Europe/Berlin" },
    });
    expect(lines("settings.live")).toEqual([]);
    await gateway.halt();
    await gateway.start();
    await gateway.waitUntilReady();
    await expect
      .poll(() => lines("settings.live"))
      .toMatchObject([
        {
          room: "changed",
          differences: {
            "inlet.outflow_per_minute": { file: 600, in_force: 900 },
            "schedule.ends_at": { file: null, in_force: "2031-05-10T23:00:00+02:00" },
            "schedule.time_zone": { file: null, in_force: "Europe/Berlin" },
          },
        },
      ]);
    // The zone is kept with the changes.
    const room = await createAdmin(http, gateway.origin).request("GET", "/rooms/changed");
    expect(room.json()).toMatchObject({ settings: { schedule: { ends_at: "2031-05-10T23:00:00+02:00" } } });

    // A process whose file says something else: the newer file counts, and this one says what differs.
    const other = await startGateway({
      config: {
        issuer: gateway.issuer,
        store: { type: "redis", url: redis.url },
        rooms: [
          { id: "changed", title: "Other", inlet: { type: "periodic", outflow_per_minute: 600 } },
          { id: "plain" },
        ],
        clients: [],
      },
      secretsFile: gateway.secretsFile,
    });
    await expect
      .poll(() => lines("settings.drift"))
      .toMatchObject([{ room: "changed", differences: { title: { file: "changed", in_force: "Other" } } }]);
    await other.stop();
  } finally {
    http.close();
    await gateway.stop();
    await redis.refund();
  }
});

test("a schedule that was added to the file of a room that is open is named at start, and in the room's numbers", async () => {
  const redis = await redisDatabase();
  const config = (room: object, named: { issuer?: string } = {}) => ({
    ...named,
    store: { type: "redis", url: redis.url },
    rooms: [{ id: "late", ...room }],
    clients: [],
  });
  const http = createHttpClient();
  const first = await startGateway({ config: config({}) });
  await first.halt();
  const gateway = await startGateway({
    config: config(
      { schedule: { opens_at: "2031-05-10T10:00", time_zone: "Europe/Berlin" } },
      { issuer: first.issuer },
    ),
    secretsFile: first.secretsFile,
  });
  try {
    const warning = /^schedule\.opens_at: 2031-05-10T10:00:00\+02:00 will change nothing: the room is open already/;
    const warnings = () => linesOf(gateway).filter(({ event, room }) => event === "config.warning" && room === "late");
    await expect.poll(warnings).toEqual([expect.objectContaining({ message: expect.stringMatching(warning) })]);
    const room = await createAdmin(http, gateway.origin).request("GET", "/rooms/late");
    expect(room.json()).toMatchObject({ phase: "open", warnings: [expect.stringMatching(warning)] });
  } finally {
    http.close();
    await gateway.stop();
    await first.stop();
    await redis.refund();
  }
});
