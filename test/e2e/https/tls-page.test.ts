/** The configurations in docs/tls.md: nginx ends TLS in front of Usher. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { askForAll, leaks, registeredPaths } from "../spellings.ts";
import { startWorld, type World } from "../world.ts";
import { type DocumentedTls, HOST, startDocumentedTls } from "./tls-page.ts";

let tls: DocumentedTls;
let world: World;
beforeAll(async () => {
  tls = await startDocumentedTls();
  world = await startWorld(tls.worldOptions);
});
afterAll(async () => {
  await world?.stop();
  await tls?.stop();
});

test("a whole login works by https", async () => {
  await world.admin.increment("tls", 1);
  const { claims } = await world.relyingParty("tls").login(world.visitor());
  expect(claims).toMatchObject({ iss: tls.origin, queue_position: 1 });
});

test("plain http leads to https", async () => {
  const answer = await world.http.get(`${tls.plainOrigin}/rooms/tls/status?x=1`);
  expect([answer.status, answer.header("location")]).toEqual([301, `https://${HOST}/rooms/tls/status?x=1`]);
});

test("the public address has nothing for operators, by any method and in any spelling", async () => {
  const answers = await askForAll(tls.origin, registeredPaths("tls").operators, { ca: tls.ca, oneIn: 5 });
  expect(leaks(answers, [400, 404, 405, 421])).toEqual([]);
  expect(answers.filter(({ kind, status }) => kind === "as it is" && status !== 404)).toEqual([]);
});

test("the public address does not answer what the proxies of forward authentication ask", async () => {
  for (const path of ["/rooms/tls/verify", "/rooms/tls/verify?refuse=401", "/rooms/tls/verify/shop"]) {
    expect([path, (await world.http.get(`${tls.origin}${path}`)).status]).toEqual([path, 403]);
  }
});

test("the issuer itself says what it is, and nothing of the rooms", async () => {
  const answer = await world.http.get(`${tls.origin}/`, { accept: "text/html" });
  expect([answer.status, answer.header("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(answer.body).toContain("This is a waiting room");
  expect(answer.body).toContain("Start at the site you want to visit");
  expect(answer.body).not.toContain("The room tls");
  expect(answer.setCookies).toEqual([]);
  expect((await world.http.request(`${tls.origin}/`, { method: "POST" })).status).toBe(405);
});

test("an address of thousands of parameters is refused", async () => {
  const attack = `${tls.origin}/rooms/tls/leave?${"a&".repeat(8_000)}`;
  const refused = await world.http.get(attack, { accept: "application/json" });
  expect([refused.status, refused.json()]).toMatchObject([400, { error: "bad_request" }]);
});
