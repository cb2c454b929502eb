/** `usher/verify` takes the admission tokens of a gateway, and none of its other tokens. */
import { expect, test } from "vitest";
import { createAdmissionVerifier } from "../../../../src/features/verify/package/index.ts";
import { memoryStore, useWorld } from "../../../e2e/world.ts";

const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "app" }] }));

test("an admission token is good by the published keys", async () => {
  const { http, issuer, admin } = world();
  const tickets = `${issuer}/rooms/app/tickets`;
  const { ticket } = (await http.request(tickets, { method: "POST" })).json() as { ticket: string };
  await admin.increment("app", 1);
  const headers = { authorization: `Bearer ${ticket}` };
  const ask = () => http.request(`${tickets}/me/token`, { method: "POST", headers });
  await expect.poll(async () => (await ask()).status).toBe(200);
  const { token } = (await ask()).json() as { token: string };
  const verify = createAdmissionVerifier({ issuer, room: "app" });
  expect(await verify(token)).toMatchObject({ room: "app", queue_position: 1, admitted_via: "queue" });
});

test("other kinds of tokens are no admission tokens", async () => {
  const site = world().relyingParty("app");
  await world().admin.increment("app", 5);
  const login = await site.login(world().visitor());
  const verify = createAdmissionVerifier({ issuer: world().issuer, room: "app", audience: "site-app" });
  await expect(verify(login.idToken)).rejects.toMatchObject({ reason: "forged" });
  await expect(verify(login.accessToken)).rejects.toMatchObject({ reason: "malformed" });
});
