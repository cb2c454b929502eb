/** Webhooks in the configuration file: what they may be, all their faults at once, and their secrets while Usher runs. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Fault, formatFault } from "../../../../src/config/checks/faults.ts";
import { settingsOf } from "../../../../src/config/index.ts";
import { webhooksSettings } from "../../../../src/features/webhooks/settings.ts";
import { loadConfig } from "../../../support/load-config.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { documentWith, follow } from "../../../unit/config/reloading.ts";

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString("base64")}`;
const [V1, V2] = ["a", "b"].map(secretOf) as [string, string];
const url = "https://hooks.example.com/usher";
const load = (receivers: unknown, env = {}) =>
  loadConfig({ document: documentWith([], { webhooks: { receivers } }), env });

let dir: TempDir;
beforeEach(async () => {
  dir = await makeTempDir("webhooks");
});
afterEach(() => dir.remove());

it("has what the file says, with secrets and addresses from their sources", async () => {
  const { config } = await load(
    [
      {
        id: "pager",
        url,
        secret: { from: "env", name: "HOOK" },
        previous_secret: V2,
        rooms: ["a"],
        types: ["usher.room.*"],
      },
      {
        id: "chat",
        url: { from: "env", name: "SLACK" },
        secret: V1,
        format: "slack",
        enabled: false,
        note: "to people",
      },
    ],
    { HOOK: V1, SLACK: "https://hooks.slack.com/services/T/B/x" },
  );
  const common = { format: "cloudevents", enabled: true };
  expect(settingsOf(config, webhooksSettings).receivers).toEqual([
    { id: "pager", url, secrets: [V1, V2], rooms: ["a"], types: ["usher.room.*"], ...common },
    {
      id: "chat",
      url: "https://hooks.slack.com/services/T/B/x",
      secrets: [V1],
      format: "slack",
      enabled: false,
      note: "to people",
    },
  ]);
});

it("is refused with all its faults at once, by their paths, and without the values of secrets", async () => {
  const wrong = [
    { id: "one", url, secret: "whsec_c2hvcnQ=" },
    { id: "one", url: "http://127.0.0.1/secret-path", secret: "no-prefix-of-a-secret-0123456789abcdef" },
    { id: "a b", url, secret: V1, rooms: ["nowhere"], types: ["usher.room.opened"], format: "xml", event: 1 },
    { id: "bare" },
    { id: "gone", url, secret: { from: "env", name: "ABSENT" } },
  ];
  const error: unknown = await load(wrong).catch((thrown: unknown) => thrown);
  const faults = (error as { faults: readonly Fault[] }).faults.map(formatFault);
  const at = (path: string) => faults.filter((fault) => fault.startsWith(`webhooks.receivers[${path}`)).join("\n");
  expect(at("0].secret")).toContain("24 to 64 bytes");
  expect(at("1].id")).toContain("another webhook has the same id");
  expect(at("1].url")).toContain("https");
  expect(at("1].secret")).toContain("whsec_");
  expect(at("2].id")).not.toBe("");
  expect(at("2].rooms")).toContain("nowhere");
  expect(at("2].types")).toContain("there are no such events");
  expect(at("2].format")).toContain("cloudevents");
  expect(at("2].event")).not.toBe("");
  expect(at("3].url")).not.toBe("");
  expect(at("3].secret")).not.toBe("");
  expect(at("4].secret")).toContain("ABSENT");
  for (const secret of ["whsec_c2hvcnQ=", "no-prefix", "secret-path"]) expect(faults.join()).not.toContain(secret);
});

it("hides what stands under a key that is none, since it may be a secret under a misspelt name", async () => {
  const slack = "https://hooks.slack.com/services/T/B/misspelt";
  const webhooks = { recievers: slack, receivers: [{ id: "one", ulr: slack, secrt: "misspelt-whsec" }, slack] };
  const document = documentWith([], { webhooks });
  const error: unknown = await loadConfig({ document, env: {} }).catch((thrown: unknown) => thrown);
  const faults = (error as { faults: readonly Fault[] }).faults.map(formatFault);
  expect(faults).toContainEqual(
    expect.stringMatching(/^webhooks\.receivers\[0\]\.ulr: \(hidden\): unknown key, did you mean url\?/),
  );
  expect(faults.filter((fault) => fault.includes("unknown key"))).toHaveLength(3);
  expect(faults.filter((fault) => fault.replace(/^\S+/, "").includes("misspelt"))).toEqual([]);
});

it("has ids that an object read from JSON would keep, and no other", async () => {
  const error: unknown = await load([{ id: "__proto__", url, secret: V1 }]).catch((thrown: unknown) => thrown);
  expect((error as { faults: readonly Fault[] }).faults).toEqual([
    {
      path: "webhooks.receivers[0].id",
      value: '"__proto__"',
      message: "is a name that JavaScript keeps for itself: choose another id",
    },
  ]);
  for (const id of ["constructor", "prototype", "__proto"]) {
    const { config } = await load([{ id, url, secret: V1 }]);
    expect(settingsOf(config, webhooksSettings).receivers[0]?.id).toBe(id);
  }
});

it("are none where the file says nothing", async () => {
  const { config } = await loadConfig({ document: documentWith([]), env: {} });
  expect(settingsOf(config, webhooksSettings)).toEqual({ allowedHosts: [], receivers: [] });
});

it("may lead to a host that is allowed", async () => {
  const receivers = [{ id: "inside", url: "http://127.0.0.1:8080/", secret: V1 }];
  const webhooks = { allowed_hosts: ["127.0.0.1:8080"], receivers };
  const { config } = await loadConfig({ document: documentWith([], { webhooks }), env: {} });
  expect(settingsOf(config, webhooksSettings).receivers[0]?.url).toBe("http://127.0.0.1:8080/");
});

it("takes a secret whose file has changed, and signs with the one before for an hour", async () => {
  const file = join(dir.path, "hook.secret");
  await writeFile(file, V1, { mode: 0o600 });
  const receivers = [{ id: "pager", url, secret: { from: "file", path: "hook.secret" } }];
  const document = documentWith([], { webhooks: { receivers } });
  const running = await follow({ document, file: join(dir.path, "usher.yaml") });
  await running.timers.runAll();
  await writeFile(`${file}.next`, V2, { mode: 0o600 });
  await rename(`${file}.next`, file);
  for (let turn = 0; turn < 2; turn++) await running.timers.runAll();
  expect(running.changes).toEqual([
    { kind: "part", part: expect.objectContaining({ key: "webhooks" }), name: "pager", secrets: [V2, V1] },
  ]);
  running.clock.advance(3_600_001);
  await running.timers.runAll();
  expect(running.changes.at(-1)).toEqual({
    kind: "part",
    part: expect.objectContaining({ key: "webhooks" }),
    name: "pager",
    secrets: [V2],
  });
  expect(JSON.stringify(running.reports)).not.toContain("whsec_");
  await running.reloaded.stop();
});
