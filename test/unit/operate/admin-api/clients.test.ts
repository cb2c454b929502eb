import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Koa from "koa";
import { afterEach, describe, expect, it } from "vitest";
import type { AdminKey, IssuerConfig } from "../../../../src/config/index.ts";
import { FailedAttempts } from "../../../../src/lib/address-buckets.ts";
import { systemClock, systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { UsherError } from "../../../../src/lib/errors.ts";
import { Principal } from "../../../../src/operate/admin-api/access/principal.ts";
import { createPrincipalBounds } from "../../../../src/operate/admin-api/access/principal-bounds.ts";
import { createAdminRouter } from "../../../../src/operate/admin-api/admin-router.ts";
import { clientRoutes } from "../../../../src/operate/admin-api/clients/clients.ts";
import { createIssuerClients } from "../../../../src/registry/clients/issuer-clients.ts";
import { createAdminKeys, createRegistry, type IssuerRegistry, issuerContent } from "../../../../src/registry/index.ts";
import type { SharedDocuments } from "../../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { loadConfig } from "../../../support/load-config.ts";

const adminKey = "key-of-the-test";
const everything: AdminKey = { id: "ops", keySha256: createHash("sha256").update(adminKey).digest("hex") };
const redirect_uris = ["https://site.example.com/cb"];
const ofFile = (client_id: string, room: string) => ({
  client_id,
  room,
  redirect_uris,
  client_secret: "0123456789abcdef",
});
const noFile = { read: () => null, write: () => undefined };

const ended: (() => void)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A process with two issuers, that of the rooms `a` and `aa` and that of `b`. */
async function serve(documents: SharedDocuments, clientIds = ["file-a", "file-b"]) {
  const [idOfA = "", idOfB = ""] = clientIds;
  const document = {
    issuers: [
      { issuer: "https://a.example.com", rooms: [{ id: "a" }, { id: "aa" }], clients: [ofFile(idOfA, "a")] },
      { issuer: "https://b.example.com", rooms: [{ id: "b" }], clients: [ofFile(idOfB, "b")] },
    ],
  };
  const { config } = await loadConfig({ document, env: {} });
  const issuers = config.issuers.map((each) => openIssuer(each, documents));
  const adminKeys = createAdminKeys({
    ofFile: [everything],
    documents,
    file: noFile,
    clock: systemClock,
    random: systemRandom,
    report: () => undefined,
  });
  const app = new Koa();
  app.use(async (ctx, next) => {
    ctx.state.clientAddress = () => "192.0.2.1";
    try {
      await next();
    } catch (error) {
      if (!(error instanceof UsherError)) throw error;
      ctx.status = error.status;
      ctx.body = { error: error.code, error_description: error.message };
    }
  });
  const check = Principal.createKeyCheck(adminKeys, new FailedAttempts(systemClock));
  const router = createAdminRouter(check, clientRoutes({ issuers, random: systemRandom }), {
    audit: { record: async () => undefined },
    bounds: createPrincipalBounds(systemClock),
  });
  app.use(router.routes());
  const server = createServer(app.callback()).listen(0, "127.0.0.1");
  ended.push(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return async (method: string, path: string, body?: object) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${adminKey}` };
    const init = { method, headers };
    const answer = await fetch(
      `${origin}/admin${path}`,
      body === undefined ? init : { ...init, body: JSON.stringify(body) },
    );
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? null : (JSON.parse(text) as Record<string, unknown>) };
  };
}

function openIssuer(config: IssuerConfig, documents: SharedDocuments): IssuerRegistry {
  const { issuer } = config;
  const registry = createRegistry({
    kind: issuerContent,
    documents,
    name: issuer,
    file: noFile,
    report: () => undefined,
  });
  const none = () => undefined;
  const place = { place: config, onRoomsChange: none };
  const parts = { config, ...place, registry, clock: systemClock, random: systemRandom, report: none };
  return {
    issuer,
    place: config,
    registry,
    clients: createIssuerClients(parts),
  } as Partial<IssuerRegistry> as IssuerRegistry;
}

const newDocuments = () => createMemoryStore({ clock: systemClock, random: systemRandom }).documents;
const statusesOf = (json: Record<string, unknown> | null) =>
  ((json?.clients ?? []) as Record<string, string>[]).map(
    ({ client_id, issuer, status }) => `${client_id} ${issuer} ${status}`,
  );

describe("clients of several issuers", () => {
  it("belong to the one that has their rooms", async () => {
    const ask = await serve(newDocuments());
    const made = await ask("POST", "/clients", { client_id: "made", room: "b", redirect_uris });
    expect([made.status, made.json?.issuer]).toEqual([201, "https://b.example.com"]);
    expect((await ask("PATCH", "/clients/made", { profile: "alb" })).status).toBe(200);
    expect(await ask("PATCH", "/clients/made", { room: "a" })).toMatchObject({
      status: 400,
      json: { error_description: expect.stringMatching(/^room: no such room.*; rooms: b$/) },
    });
    expect(await ask("POST", "/clients", { client_id: "wide", rooms: ["a", "b"], redirect_uris })).toMatchObject({
      status: 400,
      json: { error_description: expect.stringMatching(/^rooms: are of several issuers/) },
    });
    expect(await ask("POST", "/clients", { client_id: "lost", room: "zzz", redirect_uris })).toMatchObject({
      status: 400,
      json: { error_description: "room: no such room; rooms: a, aa, b" },
    });
  });

  it("have an id that no client of any has", async () => {
    const ask = await serve(newDocuments());
    await ask("POST", "/clients", { client_id: "made", room: "b", redirect_uris });
    for (const client_id of ["made", "file-a", "file-b"]) {
      const answer = await ask("POST", "/clients", { client_id, room: "a", redirect_uris });
      expect([answer.status, answer.json?.error], client_id).toEqual([409, "conflict"]);
    }
  });

  it("are known at once where they are asked for, whichever process made them", async () => {
    const documents = newDocuments();
    const [one, two] = [await serve(documents), await serve(documents)];
    await one("POST", "/clients", { client_id: "made", room: "b", redirect_uris });
    expect((await two("GET", "/clients/made")).status).toBe(200);
    expect((await two("POST", "/clients/made/secret", {})).status).toBe(200);
    expect((await two("DELETE", "/clients/made")).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await one(method, "/clients/made")).status).toBe(404);
  });
});

it("a client that the file took over is shown beside the file's, until it is deleted", async () => {
  const documents = newDocuments();
  await (await serve(documents))("POST", "/clients", { client_id: "moved", room: "a", redirect_uris });
  const ask = await serve(documents, ["moved", "file-b"]);
  expect(statusesOf((await ask("GET", "/clients")).json)).toEqual([
    "file-b https://b.example.com active",
    "moved https://a.example.com shadowed",
    "moved https://a.example.com active",
  ]);
  const shown = async () => (await ask("GET", "/clients/moved")).json;
  expect(await shown()).toMatchObject({
    source: "file",
    warnings: [expect.stringContaining("DELETE removes that one")],
  });
  expect((await ask("DELETE", "/clients/moved")).status).toBe(204);
  expect(await shown()).toMatchObject({ source: "file", warnings: [] });
  expect((await ask("DELETE", "/clients/moved")).status).toBe(409);
});

it("of query parameters that nobody takes a few are named, of long ones the beginning", async () => {
  const ask = await serve(newDocuments());
  const names = Array.from({ length: 100 }, (_, index) => `${index}${"x".repeat(100)}`);
  const { status, json } = await ask("GET", `/clients?${names.join("&")}`);
  const named = String(json?.error_description)
    .split("; ")
    .filter((part) => part.includes("unknown query parameter"));
  expect([status, named.length]).toEqual([400, 5]);
  for (const part of named) expect(part).toMatch(/^\d"?x{63}"?:/);
});
