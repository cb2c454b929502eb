import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { messageOf } from "../../../../src/features/webhooks/message.ts";
import { newWebhookSecret, openSecret, sealSecret, signedHeaders } from "../../../../src/features/webhooks/signing.ts";
import { systemClock, systemRandom } from "../../../../src/lib/clock-and-random.ts";
import { lookupPublic } from "../../../../src/lib/public-lookup.ts";
import { isPublicAddress, receiverFault } from "../../../../src/lib/receiver-address.ts";
import { createSend } from "../../../../src/lib/send.ts";

const root = (kid: string) => ({ kid, secret: systemRandom.bytes(32) });

describe("a webhook's signature", () => {
  it("is that of Standard Webhooks, by each of its secrets, over id, time and body", () => {
    const [secret, older, other] = [1, 2, 3].map(() => newWebhookSecret(systemRandom)) as [string, string, string];
    const body = '{"a":"ü"}';
    const headers = signedHeaders([secret, older], "shop.1", Math.floor(systemClock.now() / 1_000), body);
    for (const each of [secret, older]) expect(new Webhook(each).verify(body, headers)).toEqual({ a: "ü" });
    expect(() => new Webhook(other).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, "webhook-id": "shop.2" })).toThrow();
  });

  it("has a secret that is kept sealed, for one webhook and by one ticket key", () => {
    const [first, second] = [root("one"), root("two")];
    const sealed = sealSecret(first, "hook", "whsec_x", systemRandom);
    expect(sealed).not.toContain("whsec_");
    expect(openSecret([second, first], "hook", sealed)).toBe("whsec_x");
    expect(openSecret([second], "hook", sealed)).toBeNull();
    expect(openSecret([root("one")], "hook", sealed)).toBeNull();
    expect(openSecret([first], "another", sealed)).toBeNull();
    expect(openSecret([first], "hook", `${sealed.slice(0, -2)}AA`)).toBeNull();
    expect(openSecret([first], "hook", "one.")).toBeNull();
  });
});

describe("a receiver", () => {
  it.each([
    ["switches protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"],
    ["hangs up", null],
  ])("that %s has not accepted, and holds nothing up", async (_, answer) => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => (answer === null ? socket.destroy() : socket.write(answer)));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const url = `http://127.0.0.1:${port}/`;
    const sent = createSend(["127.0.0.1"])({ url, contentType: "application/json", headers: {}, body: "{}" });
    await expect(sent).resolves.toMatchObject({ isAccepted: false, status: null, reason: expect.any(String) });
    server.close();
  });

  it.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "::ffff:127.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "nonsense",
    // Forms that have an IPv4 address in them, and what is not assigned.
    "::127.0.0.1",
    "::7f00:1",
    "::10.0.0.1",
    "::93.184.216.34",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::1",
    "2001:0:7f00:1::1",
    "fec0::1",
    "4000::1",
  ])("is not at %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it("is at a public address", () => {
    for (const address of ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]) {
      expect(isPublicAddress(address)).toBe(true);
    }
  });

  it.each([
    ["ftp://hooks.example/", "https"],
    ["http://hooks.example/", "https"],
    ["/usher", "absolute"],
    ["https://user:word@hooks.example/", "user name"],
    ["https://hooks.example/#a", "#"],
    ["https://127.0.0.1/", "public"],
    ["https://2130706433/", "public"],
    ["https://0x7f.1/", "public"],
    ["https://[::1]/", "public"],
    ["https://[::ffff:10.0.0.1]/", "public"],
    ["https://[::127.0.0.1]/", "public"],
    ["https://169.254.169.254/latest/meta-data", "public"],
    ["https://localhost/", "this machine"],
    ["https://a.localhost:8443/", "this machine"],
  ])("has no address such as %s", (url, says) => {
    expect(receiverFault(url, [])).toContain(says);
  });

  it("may have any where the configuration lists it, with its port if one is given", () => {
    expect(receiverFault("https://hooks.example/usher?x=1", [])).toBeNull();
    for (const url of ["https://localhost./", "https://hooks.localhost./"])
      expect(receiverFault(url, [])).toContain("this machine");
    expect(receiverFault("http://127.0.0.1:9000/", ["127.0.0.1"])).toBeNull();
    expect(receiverFault("http://127.0.0.1:9000/", ["127.0.0.1:9000"])).toBeNull();
    expect(receiverFault("http://127.0.0.1:9001/", ["127.0.0.1:9000"])).toContain("https");
    expect(receiverFault("http://hooks.internal/", ["hooks.internal:80"])).toBeNull();
    expect(receiverFault("ftp://hooks.internal/", ["hooks.internal"])).toContain("https");
  });

  it("is looked up for the connection itself, which a name with a private address does not get", async () => {
    const found = await new Promise((resolve) =>
      lookupPublic("localhost", { all: true }, (error) => resolve(error?.name)),
    );
    expect(found).toBe("ForbiddenAddressError");
  });
});

describe("a message", () => {
  const event = {
    specversion: "1.0",
    id: "shop.1",
    source: "https://queue.example",
    type: "usher.room.phase_changed",
    subject: "rooms/shop",
    time: "2027-01-15T08:00:00.000Z",
    datacontenttype: "application/json",
    data: { room: "shop", phase: "open", reason: null, note: "<@everyone> & co" },
  } as const;

  it("is the event in the JSON of CloudEvents", () => {
    const message = messageOf({ url: "https://a.example/", format: "cloudevents" }, ["whsec_AAAA"], event, 5_000);
    expect(JSON.parse(String(message.body))).toEqual(event);
    expect(message.contentType).toContain("application/cloudevents+json");
    expect(message.headers).toMatchObject({ "webhook-id": "shop.1", "webhook-timestamp": "5" });
  });

  it("is one line for Slack, which calls nobody", () => {
    const message = messageOf({ url: "https://a.example/", format: "slack" }, ["whsec_AAAA"], event, 5_000);
    const { text } = JSON.parse(String(message.body));
    expect(text).toContain("shop: room phase changed (phase: open");
    expect(text).toContain("&lt;@everyone&gt; &amp; co");
    expect(text).not.toContain("<");
  });
});
