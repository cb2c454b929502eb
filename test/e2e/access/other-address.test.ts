/**
 * Goal: an operator who opens the console at an address of this machine, and not at the issuer's name, signs in there and works; a wrong
 * key costs them no page; and a page of anybody else gets no further than before.
 */
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { memoryStore, useWorld } from "../world.ts";

describe("the console at an address of this machine", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms: [{ id: "one" }] }));
  const here = () => `http://127.0.0.1:${world().gateways[0]?.port}`;
  const postKey = (key: string, headers: Record<string, string>, at = here()) =>
    world().http.request(`${at}/admin/sign-in/key`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ key, return_to: "/console/rooms/one?tab=a" }),
    });
  const browsers = [
    ["that says whence it comes", { "sec-fetch-site": "same-origin" }],
    ["of before", {}],
  ] as const;

  test.each(browsers)(
    "a browser %s signs in there, comes to its page after a wrong key, and changes a room",
    async (_, says) => {
      const headers = { accept: "text/html", origin: here(), ...says };
      const wrong = await postKey("wrong", headers);
      expect(wrong.status).toBe(401);
      expect(wrong.body).toMatch(/name="return_to" value="\/console\/rooms\/one\?tab=a"/);
      const right = await postKey(ADMIN_KEY, headers);
      expect([right.status, right.header("location")]).toEqual([303, "/console/rooms/one?tab=a"]);
      const cookie = right.setCookies[0]?.split(";")[0] ?? "";
      const session = await world().http.get(`${here()}/admin/session`, { cookie });
      const { csrf_token = "" } = session.json() as { csrf_token?: string };
      const change = (more: Record<string, string>) =>
        world().http.request(`${here()}/admin/rooms/one/serving`, {
          method: "POST",
          headers: { cookie, "x-csrf-token": csrf_token, "content-type": "application/json", ...more },
          body: JSON.stringify({ increment_by: 1 }),
        });
      expect((await change({ origin: here(), ...says })).status).toBe(200);
      // A proxy before it may ask for a password of its own.
      expect((await change({ origin: here(), ...says, authorization: "Basic YTpi" })).status).toBe(200);
      expect((await change({ origin: "http://127.0.0.1:1", ...says })).status).toBe(403);
      expect((await change({ origin: "https://evil.example", ...says })).status).toBe(403);
    },
  );

  test("a name that somebody has point here is not this machine", async () => {
    const host = `evil.example:${world().gateways[0]?.port}`;
    expect((await postKey(ADMIN_KEY, { host, origin: `http://${host}` })).status).toBe(403);
    expect((await postKey(ADMIN_KEY, { origin: here(), "sec-fetch-site": "cross-site" })).status).toBe(403);
  });
});
