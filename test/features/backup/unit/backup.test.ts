/** A backup as a file: what is read, what is refused, how keys are sealed, and where all is put. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompactEncrypt } from "jose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IssuerConfig, UsherConfig } from "../../../../src/config/index.ts";
import { loadKeyMaterial } from "../../../../src/config/secrets/key-material.ts";
import { type Backup, digestOf, readBackup } from "../../../../src/features/backup/backup-file.ts";
import { restore } from "../../../../src/features/backup/restore.ts";
import { requireWhole, seal, sealed, unseal } from "../../../../src/features/backup/sealed.ts";
import { restoredAuditFile } from "../../../../src/operate/audit/index.ts";
import { readCheckpoints } from "../../../../src/room/replica/checkpoints/checkpoint-files.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";

const passphrase = "correct horse battery staple";
const issuer = "https://queue.example.com";
const madeAt = "2026-11-28T10:00:00.000Z";
const nowMs = Date.parse(madeAt) + 60_000;
let folder: TempDir;
beforeEach(async () => {
  folder = await makeTempDir("backup");
});
afterEach(() => folder.remove());

const checkpoint = {
  incarnation: "run.1",
  flowMs: 5,
  reserved: 100,
  memory: {
    edition: 7,
    queued: 100,
    serving: 10,
    expiredThrough: 0,
    gaps: [],
    version: 3,
    basePhase: "open",
    holds: ["operator"],
    scheduleMarkMs: 0,
    idleEndedMs: 0,
    claimMs: 5,
    joinsPerSecondPeak: 20,
    counts: {},
    settings: { effective: {}, file: {}, live: {} },
    liveLapses: [],
  },
};
const backup = (more: Partial<Backup> = {}): Backup => ({
  format: "usher-backup",
  version: 1,
  made_at: madeAt,
  usher: "0.2.0",
  secrets: {},
  registries: { [`registry of ${issuer}`]: { version: 4, content: { format: 1, clients: {}, keys: [] } } },
  rooms: { line: { room: "line", checkpoint, keys: Buffer.alloc(32, 1).toString("base64") } },
  audit: [],
  ...more,
});
const secretsFile = () => join(folder.path, "state", "secrets.json");
const configOf = (keys: Partial<IssuerConfig["keys"]> = {}) =>
  ({
    issuers: [
      {
        issuer,
        secretsFile: secretsFile(),
        rooms: [{ id: "line" }, { id: "added" }],
        keys: { tickets: [], signing: [], cookies: [], ...keys },
      },
    ],
    secretsFile: secretsFile(),
  }) as unknown as UsherConfig;
const put = (of: Backup, more: object = {}) =>
  restore({ backup: of, config: configOf(), passphrase, isReplacing: false, nowMs, ...more });
/** As `seal`, by a thousandth of its work: how much it was stands in what is sealed. */
const sealQuickly = (text: string) =>
  new CompactEncrypt(Buffer.from(text))
    .setProtectedHeader({ alg: "PBES2-HS512+A256KW", enc: "A256GCM" })
    .setKeyManagementParameters({ p2c: 210 })
    .encrypt(Buffer.from(passphrase));
/** As `sealed`. */
const sealedQuickly = async <Document extends object>(document: Document) => ({
  ...document,
  seal: await sealQuickly(digestOf(document)),
});
/** The text of a whole secrets file. */
async function secretsText(): Promise<string> {
  const file = join(folder.path, "made", "secrets.json");
  await loadKeyMaterial(
    { keys: { tickets: [], signing: [], cookies: [] }, secretsFile: file },
    createSeededRandom("keys"),
  );
  return readFileSync(file, "utf8");
}

const otherKeys = (text: string) => text.replace(/"tickets": \[\s*"[^"]+"/, `"tickets": ["${"x".repeat(43)}"`);

describe("the file", () => {
  it("is read back as it was written", () => {
    expect(readBackup(JSON.stringify(backup()), "b.json")).toMatchObject({ backup: backup(), seal: null });
  });

  it.each([
    ["{", "not JSON, or only a part of a file"],
    ["[]", "usher export makes one"],
    [JSON.stringify({ ...backup(), version: 2 }), "of version 2, and this Usher reads 1"],
    [JSON.stringify({ ...backup(), rooms: { "../line": backup().rooms.line } }), "no whole backup"],
    [JSON.stringify({ ...backup(), made_at: "yesterday" }), "made_at"],
  ])("that is none is refused: %s", (text, reason) => {
    expect(() => readBackup(text, "b.json")).toThrow(reason);
  });
});

describe("sealed keys", () => {
  it("are opened by their passphrase alone", async () => {
    const sealed = await seal("keys", passphrase);
    expect(await unseal(sealed, passphrase)).toBe("keys");
    await expect(unseal(sealed, `${passphrase}!`)).rejects.toThrow("cannot be opened");
    const [head = "", ...rest] = sealed.split(".");
    await expect(unseal([head, ...rest.with(2, "AAAA")].join("."), passphrase)).rejects.toThrow("cannot be opened");
  });

  it("want a passphrase that nobody guesses", async () => {
    await expect(seal("keys", "too short")).rejects.toThrow("16 characters");
  });
});

describe("a file as a whole", () => {
  const read = (document: object) => readBackup(JSON.stringify(document, null, 1), "b.json");

  it("is taken as it was exported, however it is laid out", async () => {
    const whole = await sealed(backup(), passphrase);
    await requireWhole(read(whole), passphrase, false);
    await requireWhole(readBackup(JSON.stringify(whole), "b.json"), passphrase, false);
  });

  it.each<[string, (whole: Backup & { seal?: string }) => object]>([
    [
      "a counter",
      (whole) => ({ ...whole, rooms: { line: { ...whole.rooms.line, checkpoint: { ...checkpoint, reserved: 1 } } } }),
    ],
    ["a document", (whole) => ({ ...whole, registries: { "admin keys": { version: 9, content: { format: 1 } } } })],
    ["the audit", (whole) => ({ ...whole, audit: [{ kind: "base" }] })],
    ["its time", (whole) => ({ ...whole, made_at: "2026-11-28T09:00:00.000Z" })],
    ["no keys any more", (whole) => ({ ...whole, secrets: {} })],
    ["a member more", (whole) => ({ ...whole, more: 1 })],
  ])("is refused where somebody changed it: %s", async (_, change) => {
    const whole = await sealedQuickly(backup({ secrets: { [issuer]: "keys" } }));
    await expect(requireWhole(read(change(whole)), passphrase, true)).rejects.toThrow("changed after its export");
  });

  it("is refused without its passphrase, and without a seal, unless that is asked for and it has no keys", async () => {
    const whole = await sealedQuickly(backup());
    await expect(requireWhole(read(whole), null, true)).rejects.toThrow("set USHER_BACKUP_PASSPHRASE");
    await expect(requireWhole(read(whole), `${passphrase}!`, true)).rejects.toThrow("cannot be opened");
    await expect(requireWhole(read(backup()), passphrase, false)).rejects.toThrow("--unsealed");
    await requireWhole(read(backup()), passphrase, true);
    const withKeys = backup({ secrets: { [issuer]: await sealQuickly("keys") } });
    await expect(requireWhole(read(withKeys), passphrase, true)).rejects.toThrow("no seal");
    expect(() => read({ ...backup(), seal: 5 })).toThrow("seal");
  });
});

describe("a restored backup", () => {
  it("has keys, documents and rooms where a gateway looks for them, held, with positions kept back", async () => {
    const text = await secretsText();
    const { rooms, movedTo } = await put(backup({ secrets: { [issuer]: await sealQuickly(text) } }));
    expect([rooms, movedTo]).toEqual([["line"], null]);
    expect(readFileSync(secretsFile(), "utf8")).toBe(text);
    const state = join(folder.path, "state");
    expect(JSON.parse(readFileSync(join(state, "secrets.registry.json"), "utf8"))).toMatchObject({
      [`registry of ${issuer}`]: { version: 4 },
    });
    const restored = JSON.parse(readFileSync(join(state, "checkpoints", "restored.json"), "utf8"));
    // Twenty joins a second, for the minute since.
    expect(restored.line).toMatchObject({ reserved: 1_300, memory: { holds: ["recovered", "operator"], queued: 100 } });
    expect(readFileSync(join(state, "checkpoints", "restored.line.keys"))).toHaveLength(32);
    // A room that the backup does not know may have given out places since.
    expect(readCheckpoints(join(state, "checkpoints")).rooms).toEqual(new Set(["line", "added"]));
  });

  it("counts as many visitors as inside as a limit allows, until their admissions have lapsed", async () => {
    const { memory } = checkpoint;
    const inlet = { type: "max_active", maxActive: 5 };
    const settings = { ...memory.settings, effective: { inlet, admission: { durationMs: 600_000 } } };
    const liveLapses = [
      { untilMs: nowMs - 1, count: 3 },
      { untilMs: nowMs + 60_000, count: 2 },
    ];
    const limited = { ...checkpoint, memory: { ...memory, settings, liveLapses } };
    const rooms = { line: { room: "line", checkpoint: limited, keys: null } };
    await put(backup({ rooms, secrets: { [issuer]: await sealQuickly(await secretsText()) } }));
    const restored = JSON.parse(readFileSync(join(folder.path, "state", "checkpoints", "restored.json"), "utf8"));
    expect(restored.line.memory.liveLapses).toEqual([...liveLapses, { untilMs: nowMs + 600_000, count: 3 }]);
  });

  it("of several issuers is refused before anything is written where one has other keys, or a text that is none", async () => {
    const second = "https://second.example.com";
    const config = configOf();
    const files = ["secrets.json", "second.json"].map((name) => join(folder.path, "state", name));
    const issuers = [issuer, second].map((name, index) => ({
      ...config.issuers[0],
      issuer: name,
      secretsFile: files[index] ?? "",
    })) as unknown as UsherConfig["issuers"];
    const text = await secretsText();
    const [good, bad] = [await sealQuickly(text), await sealQuickly("{}")];
    const both = { ...config, issuers };
    const broken = put(backup({ secrets: { [issuer]: good, [second]: bad } }), { config: both, isReplacing: true });
    await expect(broken).rejects.toThrow("can't be used");
    expect(existsSync(join(folder.path, "state"))).toBe(false);
    mkdirSync(join(folder.path, "state"));
    writeFileSync(files[1] ?? "", otherKeys(text));
    await expect(put(backup({ secrets: { [issuer]: good, [second]: good } }), { config: both })).rejects.toThrow(
      "second.json",
    );
    expect(readdirSync(join(folder.path, "state"))).toEqual(["second.json"]);
  });

  it.each([
    [
      "another issuer's",
      () => backup({ secrets: { "https://other.example.com": "x" } }),
      {},
      "the configuration does not have",
    ],
    ["one without keys, where there are none", () => backup(), {}, "has no keys of https://queue.example.com"],
    [
      "sealed keys without a passphrase",
      () => backup({ secrets: { [issuer]: "x" } }),
      { passphrase: null },
      "are encrypted",
    ],
    [
      "a room that is none",
      () => backup({ rooms: { line: { room: "line", checkpoint: {}, keys: null } } }),
      { config: "configured" },
      "how far the room line had come",
    ],
  ])("is refused, and nothing is written: %s", async (_, of, more: object, reason) => {
    const config = "config" in more ? configOf({ tickets: ["t"], signing: ["s"], cookies: ["c"] }) : configOf();
    await expect(put(of(), { ...more, config })).rejects.toThrow(reason);
    expect(existsSync(join(folder.path, "state"))).toBe(false);
  });

  it("is put there again at once, as long as no gateway has begun with the first", async () => {
    const of = backup({ secrets: { [issuer]: await sealQuickly(await secretsText()) } });
    await put(of);
    const checkpoints = join(folder.path, "state", "checkpoints");
    const touch = (name: string) => utimesSync(join(checkpoints, name), nowMs / 1_000, nowMs / 1_000);
    for (const name of readdirSync(checkpoints)) touch(name);
    for (const isReplacing of [false, true]) {
      const { movedTo } = await put(of, { isReplacing, nowMs: nowMs + (isReplacing ? 2 : 1) });
      expect(readdirSync(movedTo ?? "")).toContain("checkpoints");
    }
    writeFileSync(join(checkpoints, "host-3000.json"), "{}");
    touch("host-3000.json");
    await expect(put(of, { isReplacing: true })).rejects.toThrow("stop it");
  });

  it("is refused where the machine has state or other keys, and --replace moves that away", async () => {
    const of = backup({
      secrets: { [issuer]: await sealQuickly(await secretsText()) },
      audit: [{ kind: "base", log: "audit", seq: 0, hash: "0".repeat(64) }],
    });
    mkdirSync(join(folder.path, "state"));
    const others = otherKeys(await secretsText());
    writeFileSync(secretsFile(), others);
    await expect(put(of)).rejects.toThrow("other keys");
    expect(readdirSync(join(folder.path, "state"))).toEqual(["secrets.json"]);
    mkdirSync(join(folder.path, "state", "checkpoints"));
    const written = join(folder.path, "state", "checkpoints", "host-3000.json");
    writeFileSync(written, "{}");
    utimesSync(written, nowMs / 1_000 - 1, nowMs / 1_000 - 1);
    writeFileSync(secretsFile(), await secretsText());
    for (const isReplacing of [false, true]) {
      await expect(put(of, { isReplacing })).rejects.toThrow("stop it, and empty its store");
    }
    writeFileSync(secretsFile(), others);
    utimesSync(written, nowMs / 1_000 - 60, nowMs / 1_000 - 60);
    await expect(put(of)).rejects.toThrow("other keys");
    rmSync(secretsFile());
    await expect(put(of)).rejects.toThrow("state of its own");
    writeFileSync(secretsFile(), others);
    const { movedTo } = await put(of, { isReplacing: true });
    expect(readdirSync(movedTo ?? "").sort()).toEqual(["checkpoints", "secrets.json"]);
    expect(readFileSync(join(movedTo ?? "", "secrets.json"), "utf8")).toBe(others);
    expect(existsSync(restoredAuditFile(secretsFile()))).toBe(true);
  });
});
