// Long: one more fault between gateways; two-installations.test.ts has a stranger that does no harm.
/** Goal: a gateway that was given other keys does no harm, and says what it lacks. */
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createAdmin } from "../../support/admin.ts";
import { type Gateway, startGateway } from "../../support/gateway.ts";
import { createHttpClient } from "../../support/http-client.ts";
import { startRedis } from "../../support/redis-server.ts";
import { createRelyingParty } from "../../support/relying-party.ts";
import { createVisitor } from "../../support/visitor.ts";
import { createKeyOperator } from "./key-operator.ts";

test("a gateway that lacks the key by which others wrap theirs names what it cannot unwrap, and a visitor's place is not lost there", async () => {
  const redis = await startRedis();
  const http = createHttpClient();
  const [clientId, clientSecret, redirectUri] = [
    "site",
    randomBytes(24).toString("hex"),
    "https://site.example.test/cb",
  ];
  const config = {
    store: { type: "redis", url: redis.url },
    rooms: [{ id: "line" }],
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri], room: "line" }],
  };
  const [wrapping, shared] = [
    "the first ticket key of these tests, which wraps",
    "the second ticket key of these tests, shared",
  ];
  const right = await startGateway({ config: { ...config, keys: { tickets: [wrapping, shared] } } });
  let stranger: Gateway | undefined;
  try {
    // Nobody knows of a room of keys that somebody brought along.
    await createAdmin(http, right.origin).step("line", "resume");
    const operator = createKeyOperator(http, [right.origin]);
    const root = await operator.active(0, "tickets");
    const kid = await operator.generate(0, "tickets");
    await operator.step(0, "tickets", kid, "stage");
    await operator.step(0, "tickets", kid, "promote");
    stranger = await startGateway({
      config: { ...config, issuer: right.issuer, keys: { tickets: [shared] } },
      waitUntilReady: false,
    });

    const readiness = await http.get(`${stranger.origin}/readyz`);
    expect(readiness.status).toBe(503);
    const own = (await createKeyOperator(http, [stranger.origin]).list(0, "tickets")).find(({ held }) => held)?.kid;
    expect((readiness.json() as { faults: string[] }).faults).toContain(
      `the active key ${kid} for tickets cannot be unwrapped here: it takes the ticket key ${root}; ` +
        `give this process the secrets file (or keys.tickets) of the others; if it is lost for good: usher keys promote ${own} --force`,
    );
    expect((await http.get(`${right.origin}/readyz`)).status).toBe(200);

    const visitor = createVisitor({ http });
    const { url } = createRelyingParty({
      http,
      issuer: right.issuer,
      clientId,
      clientSecret,
      redirectUri,
    }).startLogin();
    const arrived = await visitor.navigate(url);
    const { position } = arrived;
    const ticket = visitor.cookie("usher-line")?.value;
    expect([position, typeof ticket], arrived.notice ?? "").toEqual([1, "string"]);
    const elsewhere = await visitor.navigate(String(url).replace(right.issuer, stranger.origin));
    expect(elsewhere.notice).toBe("ticket_unreadable");
    expect(visitor.cookie("usher-line")?.value).toBe(ticket);
    expect((await visitor.navigate(url)).position).toBe(position);

    const told = await http.get(`${right.origin}/admin/keys`, { authorization: "Bearer wrong" });
    expect(told.status).toBe(401);
    const refused = await createKeyOperator(http, [stranger.origin]).ask(0, "POST", "", { purpose: "cookies" });
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.stringContaining("does not have the keys that the others have"),
    ]);
  } finally {
    http.close();
    await Promise.all([right.stop(), stranger?.stop()]);
    await redis.stop();
  }
});
