import { expect, test } from "vitest";
import { codeIn } from "../../support/relying-party.ts";
import type { World } from "../world.ts";

export const roomsRooms = [{ id: "north" }, { id: "south" }, { id: "api" }];

export function describeRooms(world: () => World): void {
  test("two rooms and two clients do not mix", async () => {
    const { admin, issuer, http } = world();
    const [north, south] = [world().relyingParty("north"), world().relyingParty("south")];
    const visitor = world().visitor();
    await world().visitor().navigate(south.startLogin().url);

    const [inNorth, inSouth] = [north.startLogin(), south.startLogin()];
    const parkedNorth = await visitor.navigate(inNorth.url, { stopAt: north.isCallback });
    const parkedSouth = await visitor.navigate(inSouth.url, { stopAt: south.isCallback });
    expect([parkedNorth.position, parkedSouth.position]).toEqual([1, 2]);

    await admin.increment("north", 1);
    const entered = await visitor.waitInLine(parkedNorth, { stopAt: north.isCallback });
    expect((await visitor.navigate(inSouth.url, { stopAt: south.isCallback })).position).toBe(2);

    const code = codeIn(entered, inNorth.state, issuer);
    const stolen = await south.redeem(code, inNorth, { redirect_uri: north.options.redirectUri });
    expect([stolen.status, stolen.json()]).toMatchObject([400, { error: "invalid_grant" }]);
    const tokensNorth = await north.finishLogin(entered, inNorth);

    await admin.increment("south", 2);
    const tokensSouth = await south.finishLogin(
      await visitor.waitInLine(parkedSouth, { stopAt: south.isCallback }),
      inSouth,
    );
    expect(tokensNorth.claims).toMatchObject({ room: "north", queue_position: 1, aud: "site-north" });
    expect(tokensSouth.claims).toMatchObject({ room: "south", queue_position: 2, aud: "site-south" });
    expect(tokensNorth.claims.sub).not.toBe(tokensSouth.claims.sub);

    const [northTicket] = visitor.jar.all().filter(({ name }) => name.endsWith("usher-north"));
    const bearer = { authorization: `Bearer ${northTicket?.value}` };
    expect((await http.get(`${issuer}/rooms/north/tickets/me`, bearer)).status).toBe(200);
    expect((await http.get(`${issuer}/rooms/south/tickets/me`, bearer)).status).toBe(401);

    // Both logins still stand, each with its own client, though the provider's session changed in between.
    const again = await north.login(visitor);
    expect(again.claims.sub).toBe(tokensNorth.claims.sub);
  });

  test("a client without a browser joins, asks and leaves with a bearer ticket", async () => {
    const { admin, issuer, http } = world();
    const me = `${issuer}/rooms/api/tickets/me`;
    const joined = await http.request(`${issuer}/rooms/api/tickets`, { method: "POST" });
    expect(joined.status).toBe(201);
    expect(joined.setCookies).toEqual([]);
    const { ticket, position } = joined.json() as { ticket: string; position: number };
    expect(position).toBe(1);

    const bearer = { authorization: `Bearer ${ticket}` };
    expect((await http.get(me, bearer)).json()).toMatchObject({ state: "waiting", position: 1 });
    await admin.increment("api", 1);
    expect((await http.get(me, bearer)).json()).toMatchObject({ state: "served", position: 1, serving: 1 });
    expect((await http.request(me, { method: "DELETE", headers: bearer })).status).toBe(204);
    expect((await http.request(me, { method: "DELETE", headers: bearer })).status).toBe(204);
    expect((await http.get(`${issuer}/rooms/api/tickets/me?ticket=${ticket}`)).status).toBe(401);
  });

  test("with Accept: application/json the authorization endpoint answers the ticket's status", async () => {
    const site = world().relyingParty("api");
    const visitor = world().visitor();
    const answer = await visitor.navigate(site.startLogin().url, { headers: { accept: "application/json" } });
    expect(answer.status).toBe(200);
    expect(answer.header("cache-control")).toContain("no-store");
    expect(answer.json()).toMatchObject({ state: "waiting", position: expect.any(Number), ahead: expect.any(Number) });
  });
}
