/** The admin API of clients: what it takes, what it refuses, and who may use it; and clients of a gateway without Redis. */
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { curlSections, readPage } from "../../support/curl-lines.ts";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { codeIn, createRelyingParty } from "../../support/relying-party.ts";
import { memoryStore, useWorld } from "../world.ts";
import { arrive, type Client, call, callback, create, errorOfToken, listed, partyOf, roomy } from "./run-time-world.ts";

describe("one gateway on the memory store", () => {
  const keyOfOne = "key-for-the-room-one-only-0123456789";
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "tickets", inlet: roomy },
      { id: "one", inlet: roomy },
    ],
    config: {
      admin: {
        keys: [
          {
            id: "one-only",
            key_sha256: createHash("sha256").update(keyOfOne).digest("hex"),
            role: "admin",
            rooms: ["one"],
          },
        ],
      },
    },
  }));
  const asOne = (method: string, path: string, body?: object) =>
    world().http.request(`${world().issuer}/admin/clients${path}`, {
      method,
      headers: { authorization: `Bearer ${keyOfOne}` },
      ...(body !== undefined && { body }),
    });

  test("its clients are there after a restart; the file beside the secrets file has no secret in it", async () => {
    const client = await create(world(), 0);
    expect(client.client_id).toMatch(/^[0-9a-f]{24}$/);
    const [gateway] = world().gateways;
    await gateway?.halt();
    await gateway?.start();
    await gateway?.waitUntilReady();
    expect((await partyOf(world(), 0, client).login(world().visitor())).claims).toMatchObject({
      aud: client.client_id,
    });

    const path = (gateway?.secretsFile ?? "").replace(/\.json$/, ".registry.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const text = await readFile(path, "utf8");
    expect(text).toContain(client.client_id);
    expect(text).not.toContain(client.client_secret);
    await call(world(), 0, "DELETE", `/${client.client_id}`);
  });

  test("its visitors go on to its addresses, and come back from them", async () => {
    const [home, bye] = ["https://new.example.test/", "https://new.example.test/bye"];
    const { issuer, admin } = world();
    const bypass = async (target: string) =>
      (await admin.request("POST", "/rooms/tickets/bypass", { target_link_uri: target })).status;
    const leave = async (visitor = world().visitor(), headers = { referer: home }) =>
      visitor.navigate(`${issuer}/rooms/tickets/leave?return=${encodeURIComponent(bye)}`, {
        headers,
        stopAt: () => true,
      });
    expect([await bypass(`${home}sale`), (await leave()).location]).toEqual([400, undefined]);

    const client = await create(world(), 0, {
      client_id: "around",
      profile: "apache",
      post_logout_redirect_uris: [bye],
      target_link_uris: [`${home}*`],
    });
    expect([await bypass(`${home}sale`), (await leave()).location?.href]).toEqual([201, bye]);
    const visitor = world().visitor();
    const party = partyOf(world(), 0, client);
    const { idToken, claims } = await party.login(visitor);
    const question = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: bye });
    const stopAt = ({ origin }: URL) => origin !== issuer;
    const goodbye = await visitor.navigate(`${issuer}/logout?${question}`, { stopAt });
    expect(goodbye.location?.href).toBe(bye);
    expect((await admin.request("GET", "/rooms/tickets/admissions")).json()).toMatchObject({
      admissions: expect.arrayContaining([expect.objectContaining({ sub: claims.sub, status: "logout" })]),
    });

    await call(world(), 0, "DELETE", "/around");
    expect([await bypass(`${home}sale`), (await leave()).location]).toEqual([400, undefined]);
  });

  test.each(["ES256", "EdDSA"])(
    "one that wants %s has it as soon as a key is made for it, and logs visitors in all the while",
    async (alg) => {
      const client = await create(world(), 0, { client_id: "curves", id_token_signed_response_alg: alg });
      const party = partyOf(world(), 0, client);
      const algorithm = async () => {
        const { login, page } = await arrive(world(), 0, party);
        const answer = await party.redeem(codeIn(page, login.state, world().issuer), login);
        return decodeProtectedHeader((answer.json() as { id_token: string }).id_token).alg;
      };
      await expect.poll(algorithm, { interval: 100 }).toBe(alg);
      await call(world(), 0, "DELETE", "/curves");
    },
  );

  test("docs/clients.md: each of its commands does what it says", async () => {
    const page = readPage("docs/clients.md");
    const sections = curlSections(page, { USHER_ADMIN: "http://127.0.0.1:3000", USHER_ADMIN_API_KEY: ADMIN_KEY });
    const answers: string[] = [];
    for (const { method, url, headers, body } of sections.flatMap(({ commands }) => commands)) {
      const options = { method, headers, ...(body !== undefined && { body }) };
      const answer = await world().http.request(`${world().issuer}${url.pathname}`, options);
      const members = answer.status === 204 ? {} : (answer.json() as object);
      answers.push(`${answer.status} ${"client_secret" in members ? "a secret" : ""}`);
    }
    expect(answers).toEqual(["201 a secret", "200 ", "200 ", "200 ", "200 a secret", "204 "]);
  });

  test("a public client needs no secret, and gets none until it is another one", async () => {
    const id = "https://app.example.test/?a=b&c/d";
    const address = `/${encodeURIComponent(id)}`;
    const app = await create(world(), 0, { client_id: id, token_endpoint_auth_method: "none" });
    expect([app.client_secret, app.secrets]).toEqual([undefined, []]);
    const party = createRelyingParty({ ...partyOf(world(), 0, app).options, clientSecret: undefined as never });
    expect((await party.login(world().visitor())).claims).toMatchObject({ aud: id });
    expect((await call(world(), 0, "POST", `${address}/secret`)).status).toBe(409);
    const changed = await call(world(), 0, "PATCH", address, { token_endpoint_auth_method: "client_secret_post" });
    expect((changed.json() as Client).warnings).toEqual([expect.stringContaining("/secret makes one")]);
    expect((await call(world(), 0, "DELETE", address)).status).toBe(204);
  });

  const good = { client_id: "shop", redirect_uris: [callback], room: "tickets" };
  test.each<[name: string, body: object | string, status: number, words: RegExp]>([
    [
      "an unsafe redirect URI",
      { ...good, redirect_uris: ["http://shop.example.test/"] },
      400,
      /redirect_uris\[0\]: expected https/,
    ],
    [
      "two faults",
      { ...good, redirect_uris: ["javascript:alert(1)"], room: "x" },
      400,
      /redirect_uris\[0\]: .*; room: no such room/,
    ],
    [
      "a secret of the caller's",
      { ...good, client_secret: "x".repeat(40) },
      400,
      /client_secret: secrets are made by Usher/,
    ],
    [
      "an id of the file",
      { ...good, client_id: "site-tickets" },
      409,
      /the configuration file has a client of this id/,
    ],
    ["a list", [good], 400, /body: expected an object/],
    ["broken JSON", '{"client_id":', 400, /not valid JSON/],
    [
      "too much",
      { ...good, redirect_uris: [`https://a.example/${"x".repeat(300_000)}`] },
      413,
      /larger than 262144 bytes/,
    ],
  ])("%s is refused, and nothing is kept", async (_, body, status, words) => {
    const answer =
      typeof body === "string"
        ? await world().http.request(`${world().issuer}/admin/clients`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${ADMIN_KEY}`,
              "content-type": "application/json",
            },
            body,
          })
        : await call(world(), 0, "POST", "", body);
    expect([answer.status, answer.json()]).toMatchObject([status, { error_description: expect.stringMatching(words) }]);
    expect(await listed(world())).toEqual(["site-one file", "site-tickets file"]);
  });

  test("a client of the file is shown, and changed nowhere else", async () => {
    const shown = (await call(world(), 0, "GET", "/site-one")).json();
    expect(shown).toMatchObject({ source: "file", status: "active", settings: { rooms: ["one"] }, document: null });
    for (const [method, path, body] of [
      ["PATCH", "", { profile: "alb" }],
      ["DELETE", ""],
      ["POST", "/secret", { overlap: "1h" }],
    ] as [string, string, object?][]) {
      const answer = await call(world(), 0, method, `/site-one${path}`, body);
      expect([answer.status, answer.json()], method).toMatchObject([
        409,
        {
          error: "conflict",
          error_description: expect.stringContaining("change it there, or take it out, and restart"),
        },
      ]);
    }
  });

  test("a key of some rooms has their clients, and no others", async () => {
    const inTickets = await create(world(), 0, { client_id: "other" });
    const own = await asOne("POST", "", { ...good, client_id: "own", room: "one" });
    expect(own.status).toBe(201);
    const error_description = expect.stringMatching(/^this admin key is not for this (room|client); it may see: one$/);
    const forbidden = { error: "forbidden", error_description };
    for (const [method, path, body] of [
      ["POST", "", { ...good, client_id: "more" }],
      ["POST", "", { ...good, client_id: "more", room: undefined, rooms: ["one", "tickets"] }],
      ["POST", "", { ...good, client_id: "more", room: "no-such-room" }],
      ["GET", "/other"],
      ["GET", "/site-tickets"],
      ["PATCH", "/other", { room: "one" }],
      ["PATCH", "/own", { room: "tickets" }],
      ["DELETE", "/other"],
      ["POST", "/other/secret"],
    ] as [string, string, object?][]) {
      const answer = await asOne(method, path, body);
      expect([answer.status, answer.json()], `${method} ${path}`).toEqual([403, forbidden]);
    }
    const { clients } = (await asOne("GET", "")).json() as { clients: Client[] };
    expect(clients.map(({ client_id }) => client_id)).toEqual(["own", "site-one"]);
    expect((await asOne("DELETE", "/own")).status).toBe(204);
    expect(await errorOfToken(partyOf(world(), 0, inTickets))).toBe("invalid_grant");
    await call(world(), 0, "DELETE", "/other");
  });

  test("the list comes in pages, and a client that goes meanwhile takes no other along", async () => {
    for (const id of ["p1", "p2", "p3"]) await create(world(), 0, { client_id: id });
    const page = async (query: string) =>
      (await call(world(), 0, "GET", query)).json() as { clients: Client[]; next_cursor: string | null };
    const first = await page("?limit=2");
    await call(world(), 0, "DELETE", "/p1");
    const second = await page(`?limit=2&cursor=${first.next_cursor}`);
    const third = await page(`?limit=2&cursor=${second.next_cursor}`);
    expect([first, second, third].map(({ clients }) => clients.map(({ client_id }) => client_id))).toEqual([
      ["p1", "p2"],
      ["p3", "site-one"],
      ["site-tickets"],
    ]);
    expect(third.next_cursor).toBeNull();
    for (const query of ["?limit=0", "?limit=501", "?cursor=5", "?cursor=a&cursor=b"]) {
      expect((await call(world(), 0, "GET", query)).status, query).toBe(400);
    }
  });
});
