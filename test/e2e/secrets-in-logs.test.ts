/**
 * Goal: nothing secret is ever logged. Method: visitors, relying parties and an operator do what they do, rightly
 * and wrongly, at the most talkative log level; then every secret that was seen on the way is looked for.
 */
import { describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../support/gateway.ts";
import { codeIn } from "../support/relying-party.ts";
import { submitForm } from "./form.ts";
import { clientSecret, loggedOutUri, memoryStore, useWorld } from "./world.ts";

describe("logs", () => {
  const settings = { targets: ["https://shop.example.test/*"], admission_token: { validity: "1h" } };
  const rooms = [{ id: "logged", client: { login_timeout: "10m" }, settings }];
  const world = useWorld(() => ({ store: memoryStore, rooms, env: { USHER_LOG_LEVEL: "trace" } }));

  test("are JSON lines with event and request id, and hold no secret, ticket, code, token or cookie", async () => {
    const { issuer, admin, http } = world();
    const site = world().relyingParty("logged");
    const post = world().relyingParty("logged", { authentication: "post" });
    const visitor = world().visitor();
    const secrets = new Map<string, string>([
      ["the admin key", ADMIN_KEY],
      ["the client's secret", clientSecret("logged")],
    ]);
    const noteCookies = () => {
      for (const { name, value } of visitor.jar.all()) secrets.set(`${name} ${secrets.size}`, value);
    };

    const login = site.startLogin();
    const parked = await visitor.navigate(login.url, { stopAt: site.isCallback });
    noteCookies();
    await admin.increment("logged", 1);
    const served = await visitor.waitInLine(parked, { stopAt: site.isCallback });
    noteCookies();
    const code = codeIn(served, login.state, issuer);
    secrets.set("the code", code);
    secrets.set("the PKCE verifier", login.verifier);
    await post.redeem(code, login, { client_secret: "a-wrong-secret-0123456789" });
    secrets.set("a wrong secret", "a-wrong-secret-0123456789");
    const { accessToken, idToken } = await site.finishLogin(served, login);
    secrets.set("the access token", accessToken);
    secrets.set("the ID token", idToken);
    await site.redeem(code, login);
    await site.userinfo(accessToken);
    await site.userinfo("a-wrong-access-token-0123456789");
    secrets.set("a wrong access token", "a-wrong-access-token-0123456789");

    const { ticket } = (await http.request(`${issuer}/rooms/logged/tickets`, { method: "POST" })).json() as {
      ticket: string;
    };
    secrets.set("a bearer ticket", ticket);
    await http.get(`${issuer}/rooms/logged/tickets/me`, { authorization: `Bearer ${ticket}` });
    await http.get(`${issuer}/rooms/logged/tickets/me?ticket=${ticket}`, { authorization: `Bearer ${ticket}x` });
    await http.get(`${issuer}/rooms/logged/tickets/me?access_token=${ticket}`);
    await admin.increment("logged", 1);
    const url = `${issuer}/rooms/logged/tickets/me/token`;
    const exchange = () => http.request(url, { method: "POST", headers: { authorization: `Bearer ${ticket}` } });
    await expect.poll(async () => (await exchange()).status).toBe(200);
    const exchanged = (await exchange()).json() as { token: string; ticket: string };
    secrets.set("an admission token", exchanged.token);
    secrets.set("a claimed ticket", exchanged.ticket);
    const handed = await visitor.navigate(`${issuer}/rooms/logged/enter?target=https://shop.example.test/`, {
      stopAt: (location) => location.origin !== issuer,
    });
    const handOver = handed.location?.searchParams.get("usher_token") ?? "";
    secrets.set("a token in an address", handOver);
    const asked = { accept: "text/html", "x-forwarded-uri": `/?usher_token=${handOver}`, "x-forwarded-proto": "https" };
    const verified = await http.get(`${issuer}/rooms/logged/verify`, {
      ...asked,
      "x-forwarded-host": "shop.example.test",
    });
    secrets.set("a site's cookie", /=([^;]+)/.exec(verified.setCookies[0] ?? "")?.[1] ?? "missing");
    await http.get(`${issuer}/rooms/logged/verify/?usher_token=${handOver}&x`, { cookie: `usher-logged=${handOver}x` });
    await http.get(`${issuer}/rooms/logged/enter?target=${handOver}`);
    const made = (await admin.request("POST", "/rooms/logged/bypass", { note: "for the crew" })).json() as {
      url: string;
    };
    const link = new URL(made.url).searchParams.get("link") ?? "";
    secrets.set("a bypass link", link);
    const guest = world().visitor();
    const stopAt = (location: URL) => location.origin !== issuer;
    for (let times = 0; times < 2; times++) await submitForm(guest, await guest.navigate(made.url), stopAt);
    for (const { name, value } of guest.jar.all()) secrets.set(`${name} of a guest`, value);
    await http.get(`${made.url}x`);
    await http.request(made.url, { method: "POST", body: new URLSearchParams({ link }) });
    await http.request(made.url, { method: "PUT" });
    const holder = world().visitor();
    const waiting = await holder.navigate(site.startLogin().url);
    const { body: page } = await submitForm(holder, waiting, undefined, "/move");
    const place = /\?place=([\w.-]+)/.exec(page)?.[1] ?? "missing";
    secrets.set("a link of a place", place);
    const moveUrl = `${issuer}/rooms/logged/move?place=${place}`;
    const taker = world().visitor();
    const opened = await taker.navigate(moveUrl);
    for (let times = 0; times < 2; times++) await submitForm(taker, opened, stopAt);
    await holder.navigate(waiting.url);
    for (const { name, value } of [...holder.jar.all(), ...taker.jar.all()])
      secrets.set(`${name} moved ${value}`, value);
    await http.get(`${moveUrl}x`);
    await http.request(`${issuer}/rooms/logged/move/here`, { method: "POST", body: new URLSearchParams({ place }) });
    await http.request(moveUrl, { method: "PUT" });
    await http.get(`${issuer}/nothing?code=${code}&client_secret=${clientSecret("logged")}`);
    await http.get(`${issuer}/admin/rooms`, { authorization: "Bearer a-wrong-admin-key-0123456789" });
    secrets.set("a wrong admin key", "a-wrong-admin-key-0123456789");
    await admin.request("POST", "/rooms/logged/serving", { increment_by: ADMIN_KEY });

    const logout = new URL(`${issuer}/logout`);
    logout.searchParams.set("id_token_hint", idToken);
    logout.searchParams.set("post_logout_redirect_uri", loggedOutUri("logged"));
    await visitor.navigate(logout, { stopAt: (location) => location.origin !== issuer });
    noteCookies();

    const [gateway] = world().gateways;
    await gateway?.halt();
    const output = gateway?.output() ?? "";
    const lines = output.split("\n").filter((line) => line.startsWith("{"));
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines)
      expect(JSON.parse(line)).toMatchObject({ event: expect.stringMatching(/^[a-z_]+\.[a-z_.]+$/) });
    expect(lines.filter((line) => line.includes("request_id")).length).toBeGreaterThan(10);
    for (const [name, secret] of secrets) {
      expect(output.includes(secret), `${name} was logged`).toBe(false);
      // Nor a part that would do: the last part of a ticket is its signature.
      const parts = secret.split(".").filter((part) => part.length >= 20 && !part.includes("~"));
      for (const part of parts) expect(output.includes(part), `a part of ${name} was logged`).toBe(false);
    }
  });
});
