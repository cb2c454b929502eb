/** The admin API for keys, and `usher keys`, which is made of it. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { freePort } from "../../support/ports.ts";
import { runUsher } from "../../support/usher-command.ts";
import { memoryStore, useWorld } from "../world.ts";
import type { ToldKey } from "./key-operator.ts";

const roomKey = "key-of-an-operator-of-one-room-0123456789";

describe("an operator", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [{ id: "line" }],
    config: {
      admin: {
        keys: [{ id: "one-room", key_sha256: createHash("sha256").update(roomKey).digest("hex"), rooms: ["line"] }],
      },
    },
  }));
  const ask = (method: string, path: string, body?: object) => world().admin.request(method, `/keys${path}`, body);
  const all = async () => ((await ask("GET", "")).json() as { keys: ToldKey[] }).keys;

  test("is told all of a key but the key", async () => {
    const keys = await all();
    expect(keys.map(({ purpose, alg, state }) => `${purpose} ${alg} ${state}`)).toEqual([
      "signing RS256 active",
      "tickets null active",
      "cookies null active",
      "draw null active",
    ]);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(keys[0]).toEqual({
      kid: expect.stringMatching(/^[\w-]{16}$/),
      issuer: world().issuer,
      purpose: "signing",
      alg: "RS256",
      state: "active",
      source: "configuration",
      created_at: time,
      staged_at: time,
      promoted_at: time,
      superseded_at: null,
      retired_at: null,
      may_promote_at: null,
      may_retire_at: null,
      held: true,
    });
    const secrets = JSON.parse(await readFile(world().gateways[0]?.secretsFile ?? "", "utf8"));
    for (const text of [...secrets.tickets, ...secrets.cookies]) expect(JSON.stringify(keys)).not.toContain(text);
  });

  test("reads the list page by page, by purpose and by issuer", async () => {
    const first = (await ask("GET", "?limit=3")).json() as { keys: ToldKey[]; next_cursor: string };
    const rest = (await ask("GET", `?limit=3&cursor=${first.next_cursor}`)).json() as {
      keys: ToldKey[];
      next_cursor: null;
    };
    expect([first.keys.length, rest.next_cursor]).toEqual([3, null]);
    expect([...first.keys, ...rest.keys]).toEqual(await all());
    const { body } = await ask("GET", `?purpose=draw&issuer=${encodeURIComponent(world().issuer)}`);
    expect((JSON.parse(body) as { keys: ToldKey[] }).keys.map(({ purpose }) => purpose)).toEqual(["draw"]);
  });

  test("needs the role admin, for all rooms", async () => {
    const headers = { authorization: `Bearer ${roomKey}` };
    for (const [method, path] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/x/promote"],
    ] as const) {
      const { status, body } = await world().http.request(`${world().issuer}/admin/keys${path}`, { method, headers });
      expect([status, body]).toEqual([403, expect.stringContaining("this takes the role admin")]);
    }
  });

  test.each<[string, string, object | undefined, number, RegExp]>([
    ["POST", "", {}, 400, /purpose/],
    ["POST", "", { purpose: "token" }, 400, /did you mean|expected|signing/],
    ["POST", "", { purpose: "tickets", alg: "RS256" }, 400, /only keys for signing have an algorithm/],
    ["POST", "", { purpose: "signing", alg: "HS256" }, 400, /alg/],
    ["POST", "", { purpose: "draw", issuer: "https://other.example" }, 400, /there is no such issuer; there are: http/],
    ["POST", "", { purpose: "draw", key: "x" }, 400, /key/],
    ["POST", "/there-is-none/stage", {}, 404, /no key of this id/],
    ["POST", "/there-is-none/burn", {}, 404, /step/],
    ["POST", "/ACTIVE/retire", { force: true }, 409, /promote another one first/],
    ["POST", "/ACTIVE/promote", {}, 409, /it signs already/],
    ["POST", "/ACTIVE/stage", {}, 409, /only a new key can be staged/],
    ["POST", "/ACTIVE/stage", { force: true }, 400, /force/],
    ["POST", "/ACTIVE/retire", { force: "yes" }, 400, /force/],
    ["GET", "?purpose=all", undefined, 400, /purpose/],
    ["GET", "?limit=0", undefined, 400, /limit/],
    ["PUT", "", {}, 405, /takes/],
  ])("%s /admin/keys%s %j is answered %i", async (method, path, body, status, words) => {
    const before = await all();
    const [active] = before;
    const answer = await ask(method, path.replace("ACTIVE", active?.kid ?? ""), body);
    expect([answer.status, answer.body]).toEqual([status, expect.stringMatching(words)]);
    expect(await all()).toEqual(before);
  });

  describe("at a terminal", () => {
    /** @param kid the last argument: as usher says itself, one that begins with a hyphen is no option behind `--` */
    async function usher(args: string[], kid?: string, env: Record<string, string> = {}) {
      const { port } = world().gateways[0] ?? { port: 0 };
      return runUsher(["keys", ...args, ...(kid === undefined ? [] : ["--", kid])], {
        env: { PORT: String(port), USHER_ADMIN_API_KEY: ADMIN_KEY, ...env },
      });
    }

    test("rotates the cookie keys", async () => {
      const [old] = (await all()).filter(({ purpose }) => purpose === "cookies");
      const made = await usher(["generate", "--purpose", "cookies", "--json"]);
      const { kid, state } = JSON.parse(made.printed) as ToldKey;
      expect([made.code, state]).toEqual([0, "new"]);
      expect((await usher(["stage"], kid)).printed).toMatch(
        new RegExp(`${kid} +cookies +- +staged[\\s\\S]*Next: usher keys promote ${kid}`),
      );
      const early = await usher(["promote"], kid);
      expect([early.code, early.failure]).toEqual([
        1,
        expect.stringMatching(/^conflict: this key may be promoted from .* force/m),
      ]);
      expect(await usher(["promote", "--force"], kid)).toMatchObject({
        code: 0,
        printed: expect.stringContaining("active"),
      });
      const listed = await usher(["list", "--purpose", "cookies"]);
      expect(listed.printed.split("\n").filter((line) => line !== "")).toEqual([
        expect.stringMatching(/^KEY +PURPOSE +ALG +STATE +SOURCE +HERE +MAY PROMOTE +MAY RETIRE$/),
        expect.stringMatching(new RegExp(`^${old?.kid} +cookies +- +retiring +configuration +yes +2.* +2`)),
        expect.stringMatching(new RegExp(`^${kid} +cookies +- +active +admin_api +yes +- +-$`)),
      ]);
      expect(await usher(["retire", "--force"], old?.kid)).toMatchObject({ code: 0 });
    });

    test("is told what is missing, and ends with 1, or 2 where the command was wrong", async () => {
      const outcomes = await Promise.all([
        usher(["list"], undefined, { USHER_ADMIN_API_KEY: "" }),
        usher(["list"], undefined, { USHER_ADMIN_API_KEY: "wrong" }),
        usher(["list", "--url", `http://127.0.0.1:${await freePort()}`]),
        usher(["generate"]),
        usher(["retire", "-Ab_3x-Z", "--force"]),
        usher(["retire", "--force"], "-Ab_3x-Z"),
      ]);
      expect(outcomes).toMatchObject([
        { code: 1, failure: expect.stringMatching(/^set USHER_ADMIN_API_KEY/m) },
        {
          code: 1,
          failure: expect.stringMatching(/^unauthorized: the key in USHER_ADMIN_API_KEY isn.t valid at http/m),
        },
        { code: 1, failure: expect.stringMatching(/^no gateway answers at .*ECONNREFUSED.*--url/m) },
        { code: 2, failure: expect.stringContaining("--purpose") },
        { code: 2, failure: expect.stringContaining("goes behind --: usher keys retire -- KEY") },
        { code: 1, failure: expect.stringMatching(/^not_found: /m) },
      ]);
    });
  });
});
