/** With several issuers a room that is made at run time belongs to the one that is named, and the other knows nothing of it. */
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";

test("a room belongs to the issuer that the request names", async () => {
  const issuers = ["one", "two"].map((name) => ({ issuer: `https://queue.${name}.example`, rooms: [{ id: name }] }));
  const gateway = await startGateway({ config: { store: { type: "memory" }, issuers } });
  const http = createHttpClient();
  const { request } = createAdmin(http, gateway.origin);
  try {
    const nobodys = await request("POST", "/rooms", { id: "made" });
    expect([nobodys.status, nobodys.body]).toEqual([
      400,
      expect.stringContaining("issuer: required: one of https://queue.one.example"),
    ]);
    const made = await request("POST", "/rooms", { id: "made", issuer: "https://queue.two.example" });
    expect([made.status, made.json()]).toMatchObject([
      201,
      { source: "admin_api", issuer: "https://queue.two.example" },
    ]);
    const taken = await request("POST", "/rooms", { id: "one", issuer: "https://queue.two.example" });
    expect([taken.status, taken.body]).toEqual([409, expect.stringContaining("another issuer has a room of this id")]);
    const again = await request("POST", "/rooms", { id: "made", issuer: "https://queue.one.example" });
    expect([again.status, again.body]).toEqual([409, expect.stringContaining("another issuer has a room of this id")]);
    const at = async (host: string) =>
      (await http.request(`${gateway.origin}/rooms/made/status`, { headers: { host } })).status;
    expect([await at("queue.one.example"), await at("queue.two.example")]).toEqual([404, 200]);
    const client = { client_id: "shop", redirect_uris: ["https://shop.example.com/cb"], room: "made" };
    expect((await request("POST", "/clients", client)).json()).toMatchObject({ issuer: "https://queue.two.example" });
    expect(
      (await request("POST", "/clients", { ...client, client_id: "both", room: null, rooms: ["one", "made"] })).status,
    ).toBe(400);
  } finally {
    http.close();
    await gateway.stop();
  }
});
