/** What a feature may add to the configuration file, shown by two made-up parts: of the installation, and of each issuer. */
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  ConfigError,
  duration,
  faultAt,
  flag,
  formatFault,
  type LoadOptions,
  loadConfig,
  mapping,
  type Path,
  settingsOf,
  settingsPart,
  valueAt,
  writtenSecret,
} from "../../../src/config/index.ts";
import { systemRandom } from "../../../src/lib/clock-and-random.ts";
import { createManualTimers } from "../../support/manual-timers.ts";
import { createMovedClock } from "../../support/moved-clock.ts";
import { makeTempDir } from "../../support/temp-dir.ts";

const bell = settingsPart({
  key: "bell",
  schema: mapping({ secret: writtenSecret.optional(), every: duration(1_000, 60_000).prefault("5s") }).prefault({}),
  followedSecrets(raw: unknown, place: Path) {
    const path = [...place, "secret"];
    const findFault = (value: string) => (value.startsWith("ring-") ? null : "expected ring- at its beginning");
    return valueAt(raw, path) === undefined
      ? []
      : [{ name: "the bell", path: place, places: [{ path, versions: "accepted", findFault }] }];
  },
  read: ({ secret, every }, secretsAt) => ({
    everyMs: every,
    secrets: secret === undefined ? [] : secretsAt("secret"),
  }),
});
const sign = settingsPart({
  key: "sign",
  isPerIssuer: true,
  schema: mapping({ lit: flag().default(false) }).prefault({}),
  check: (raw, place) =>
    valueAt(raw, [...place, "lit"]) === true && valueAt(raw, ["bell"]) === undefined
      ? [faultAt(raw, [...place, "lit"], "a sign that is lit needs a bell")]
      : [],
  read: ({ lit }) => ({ lit }),
});
const parts = [bell, sign];

const issuer = "https://q.example";
const rooms = [{ id: "a" }];
const load = (document: object, more: Partial<LoadOptions> = {}) => loadConfig({ document, env: {}, parts, ...more });
const faultsOf = (document: object, more: Partial<LoadOptions> = {}) =>
  load(document, more).then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof ConfigError)) throw error;
      return error.faults.map(formatFault);
    },
  );

it("is read for its part alone, with its defaults and secrets", async () => {
  const { config } = await load(
    { issuer, rooms, bell: { secret: { from: "env", name: "BELL" } } },
    { env: { BELL: "ring-1" } },
  );
  expect(settingsOf(config, bell)).toEqual({ everyMs: 5_000, secrets: ["ring-1"] });
  const [only] = config.issuers;
  expect(only && settingsOf(only, sign)).toEqual({ lit: false });
  const others = await load({ issuer, rooms }, { parts: [] });
  expect(() => settingsOf(others.config, bell)).toThrow("loaded without the part bell");
});

it("is each issuer's own where it says so, and stands nowhere else", async () => {
  const second = { issuer: "https://r.example", rooms: [{ id: "b" }], sign: { lit: true } };
  const issuers = [{ issuer, rooms }, second];
  const { config } = await load({ issuers, bell: {} });
  expect(config.issuers.map((each) => settingsOf(each, sign).lit)).toEqual([false, true]);
  expect(await faultsOf({ issuers, bell: {}, sign: {} })).toEqual([
    expect.stringContaining("sign: a mapping: issuers is given too"),
  ]);
  expect(await faultsOf({ issuers })).toEqual(["issuers[1].sign.lit: true: a sign that is lit needs a bell"]);
});

it("is checked with all the rest, and a key of no part is unknown", async () => {
  const document = { issuer, rooms: [], bell: { secret: "ding", evry: "ring-2" }, sign: { lit: 1 } };
  const faults = await faultsOf(document);
  expect(faults).toHaveLength(4);
  expect(faults).toEqual(
    expect.arrayContaining([
      expect.stringContaining("rooms: a list of 0"),
      "bell.secret: (hidden): expected ring- at its beginning",
      expect.stringContaining("bell.evry: (hidden): unknown key, did you mean every?"),
      "sign.lit: 1: expected true or false",
    ]),
  );
  expect(await faultsOf({ issuer, rooms, bell: {} }, { parts: [sign] })).toEqual([
    expect.stringContaining("bell: a mapping: unknown key"),
  ]);
});

it("is told of its secrets when they change", async () => {
  const dir = await makeTempDir("settings-part");
  const file = join(dir.path, "bell");
  await writeFile(file, "ring-1", { mode: 0o600 });
  const [timers, clock] = [createManualTimers(), createMovedClock()];
  const document = { issuer, rooms, bell: { secret: { from: "file", path: "bell" } } };
  const random = { ...systemRandom, fraction: () => 0.5 };
  const where = { file: join(dir.path, "usher.yaml"), after: timers.after, clock, random };
  const { reloaded } = await load(document, where);
  const taken: unknown[] = [];
  reloaded.follow(bell, (name, secrets) => taken.push([name, secrets]));
  reloaded.start(() => expect.unreachable("of no client and no key"));
  await timers.runAll();
  await writeFile(`${file}.next`, "ring-2", { mode: 0o600 });
  await rename(`${file}.next`, file);
  for (let turn = 0; turn < 2; turn++) await timers.runAll();
  expect(taken).toEqual([["the bell", ["ring-2", "ring-1"]]]);
  await reloaded.stop();
  await dir.remove();
});

it("may share a mapping with others, each with its own key there", async () => {
  const house = (key: string) =>
    settingsPart({
      key: `street.${key}`,
      isPerIssuer: true,
      schema: mapping({ secret: writtenSecret.optional(), lit: flag().default(false) }).optional(),
      secrets: (raw: unknown, place: Path) =>
        valueAt(raw, place) === undefined
          ? []
          : [{ path: [...place, "secret"], versions: "current" as const, findFault: () => null }],
      read: (written, secretsAt) => (written === undefined ? null : { lit: written.lit, secrets: secretsAt("secret") }),
    });
  const [first, second] = [house("first"), house("second")];
  const both = { parts: [first, second] };
  const street = { first: { secret: "one", lit: true } };
  const { config } = await load({ issuer, rooms, street }, both);
  const [only] = config.issuers;
  expect(only && settingsOf(only, first)).toEqual({ lit: true, secrets: ["one"] });
  expect(only && settingsOf(only, second)).toBeNull();
  expect(await faultsOf({ issuer, rooms, street: { third: {} } }, both)).toEqual([
    expect.stringMatching(/^street\.third: .*unknown key/),
  ]);
  const issuers = [{ issuer, rooms, street }];
  expect(await faultsOf({ issuers, street }, both)).toEqual([
    expect.stringContaining("street: a mapping: issuers is given too"),
  ]);
  const unquoted = await faultsOf({ issuer, rooms, street: { second: { secrt: "whisper" } } }, both);
  expect(unquoted.join()).not.toContain("whisper");
});
