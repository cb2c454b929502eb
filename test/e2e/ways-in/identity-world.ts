/**
 * A real login first: visitors sign in at the organisation's provider, a real one, by redirects alone; each person has one place, at two
 * gateways, in several browsers at once; what the provider says of them goes on to the site; and no answer of a provider counts that this
 * browser has not asked for.
 */
import { afterAll, expect } from "vitest";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { attribute, type Page, type Visitor } from "../../support/visitor.ts";
import { ownDatabase } from "../redis-store.ts";
import { useWorld } from "../world.ts";

/** Starts a provider, and two gateways on Redis whose rooms ask for a login there. */
export async function useIdentity() {
  const rooms = [
    "shop",
    "people",
    "tabs",
    "forged",
    "away",
    "silent",
    "pass",
    "out",
    "large",
    "same",
    "busy",
    "tokens",
  ];
  const ports = [await freePort(), await freePort()];
  const issuer = `http://localhost:${ports[0]}`;
  const callbackOf = (room: string) => `${issuer}/rooms/${room}/identity/callback`;
  const provider: PeopleProvider = await startPeopleProvider([], rooms.map(callbackOf));
  const providerAway = `http://localhost:${await freePort()}`;
  const target = "https://shop.example.test/";

  const { store, database } = ownDatabase();
  const world = useWorld(() => ({
    store,
    ports,
    gateways: 2,
    config: { listen: { trusted_proxies: ["127.0.0.1", "::1"] } },
    rooms: rooms.map((id) => ({
      id,
      settings: {
        targets: [target],
        identity: {
          issuer: id === "away" ? providerAway : provider.issuer,
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          claims: ["email", "email_verified", "groups", "name"],
        },
      },
      client: { claims: ["email", "email_verified"], refresh_tokens: true },
    })),
  }));
  const secrets: string[] = ["@people.example.com", "of-the-vip-club"];

  afterAll(async () => {
    await provider.stop();
    for (const gateway of world().gateways) {
      expect(gateway.output()).not.toMatch(/uncaught|unhandled/i);
      for (const secret of secrets) expect(gateway.output()).not.toContain(secret);
    }
  });

  const is = (sub: string, claims: Record<string, unknown> = {}) => {
    provider.person = { sub, claims: { email: `${sub}@people.example.com`, email_verified: true, ...claims } };
  };
  const isOutside = (location: URL) => location.origin !== issuer && location.origin !== provider.issuer;
  const isAtProvider = (location: URL) => location.origin === provider.issuer;
  const isCallback = (location: URL) => location.pathname.endsWith("/identity/callback");
  const startOf = (room: string) => world().relyingParty(room).startLogin();
  const open = (visitor: Visitor, url: string | URL) => visitor.navigate(url, { stopAt: isOutside });
  /** Opens a login as this person, in a browser of theirs. */
  async function openAs(sub: string, room: string, visitor = world().visitor()): Promise<Page> {
    is(sub);
    return open(visitor, startOf(room).url);
  }
  /** To where the provider sends the browser back, which it does not follow. */
  async function untilCallback(visitor: Visitor, room: string): Promise<URL> {
    const page = await visitor.navigate(startOf(room).url, { stopAt: isCallback });
    if (page.location === undefined) throw new Error(`no callback: ${page.status} ${page.url}`);
    return page.location;
  }
  /** Where the page's button leads. */
  function buttonOf(page: Page): URL {
    const link = page.body.match(/<a\b[^>]*class="button[^>]*>/)?.[0] ?? "";
    return new URL(attribute(link, "href") ?? "", page.url);
  }
  /** All that Redis keeps in texts and hashes, in one text. */
  async function storedTexts(): Promise<string> {
    const ask = async (name: string, ...args: string[]) => database().command(name, ...args);
    const keys = (await ask("KEYS", "*")) as string[];
    const readers: Record<string, string> = { string: "GET", hash: "HGETALL" };
    const texts = await Promise.all(
      keys.map(async (key) => {
        const reader = readers[String(await ask("TYPE", key))];
        return reader === undefined ? "" : String(await ask(reader, key));
      }),
    );
    return texts.join("\n");
  }
  const join = (room: string, gateway = 0, cookie = "") =>
    world().http.request(`${world().gateways[gateway]?.origin}/rooms/${room}/tickets`, {
      method: "POST",
      ...(cookie !== "" && { headers: { cookie } }),
    });

  return {
    world,
    database,
    provider,
    issuer,
    providerAway,
    callbackOf,
    is,
    isOutside,
    isAtProvider,
    isCallback,
    startOf,
    open,
    openAs,
    untilCallback,
    buttonOf,
    storedTexts,
    join,
  };
}
