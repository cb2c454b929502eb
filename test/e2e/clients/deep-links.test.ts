/** Where a visitor wanted to go is kept over a login that starts afresh, and nobody is ever sent anywhere else. */
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { targetTricks } from "../../support/target-tricks.ts";
import { queued } from "../line.ts";
import { memoryStore, redirectUri, useWorld } from "../world.ts";

const LOGIN_TIMEOUT_MS = 1_000;
const site = (room: string) => `https://${room}.example.test`;
const targets = (room: string) => ({ target_link_uris: [`${site(room)}/checkout`, `${site(room)}/products/*`] });

describe("a login that starts afresh", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      {
        id: "link",
        client: {
          login_timeout: "1s",
          initiate_login_uri: `${site("link")}/start?a=b&to={target_link_uri}`,
          ...targets("link"),
        },
      },
      {
        id: "third",
        client: {
          login_timeout: "1s",
          initiate_login_uri: redirectUri("third"),
          third_party_login: true,
          ...targets("third"),
        },
      },
    ],
  }));

  /** Where the visitor is sent when their turn comes after the login timeout. */
  async function restartOf(room: string, parameters: Record<string, string>): Promise<URL> {
    const { url } = world().relyingParty(room).startLogin(parameters);
    const visitor = world().visitor();
    const outside = { stopAt: (location: URL) => location.origin !== world().issuer };
    const parked = await visitor.navigate(url, outside);
    expect(parked.position).toBeGreaterThan(0);
    await delay(LOGIN_TIMEOUT_MS + 1_100);
    await world().admin.increment(room, 1);
    const page = await visitor.waitInLine(parked, outside);
    if (page.location === undefined) throw new Error(`no restart: ${page.status}`);
    return page.location;
  }

  test("keeps the page that the request named, as one value", async () => {
    const target = `${site("link")}/products/7?size=%C3%9F&next=https://evil.example/`;
    const location = await restartOf("link", { target_link_uri: target });
    expect(location.origin + location.pathname).toBe(`${site("link")}/start`);
    expect([...location.searchParams]).toEqual([
      ["a", "b"],
      ["to", target],
    ]);
  });

  test("goes to the first page of the list where the request named none", async () => {
    const location = await restartOf("link", {});
    expect(location.searchParams.get("to")).toBe(`${site("link")}/checkout`);
  });

  test("may be a third-party-initiated one: with issuer and page, and no visitor's name", async () => {
    const location = await restartOf("third", { target_link_uri: `${site("third")}/products/7` });
    expect(location.origin + location.pathname).toBe(redirectUri("third"));
    expect(Object.fromEntries(location.searchParams)).toEqual({
      iss: world().issuer,
      target_link_uri: `${site("third")}/products/7`,
    });
  });
});

describe("a page that is not on the list", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: [
      { id: "shop", client: { initiate_login_uri: `${site("shop")}/start?to={target_link_uri}`, ...targets("shop") } },
      { id: "plain" },
    ],
  }));
  afterEach(async () => {
    for (const room of ["shop", "plain"]) expect(await queued(world(), room)).toBe(0);
  });
  const open = (room: string, suffix: string, headers: Record<string, string> = {}) => {
    const { url } = world().relyingParty(room).startLogin();
    return world()
      .visitor()
      .navigate(`${url.href}${suffix}`, { headers, stopAt: () => true });
  };
  const refusal = [400, undefined, "unknown_target", []];

  test.each(targetTricks(site("shop")))("%j is refused with a page, and takes no place", async (target) => {
    const page = await open("shop", `&target_link_uri=${encodeURIComponent(target)}`);
    expect([page.status, page.location, page.notice, page.setCookies]).toEqual(refusal);
    expect(page.header("cache-control")).toContain("no-store");
    expect(page.body).not.toContain("evil.example");
  });

  test.each([
    ["twice", (uri: string) => `&target_link_uri=${uri}&target_link_uri=${uri}`],
    ["in front of a silent login", (uri: string) => `&target_link_uri=${uri}x&prompt=none`],
    ["from a page of ours", (uri: string) => `&target_link_uri=${uri}x&usher_join=1`],
  ])("is refused %s", async (_, suffixOf) => {
    const page = await open("shop", suffixOf(encodeURIComponent(`${site("shop")}/checkout`)));
    expect([page.status, page.location, page.notice, page.setCookies]).toEqual(refusal);
  });

  test("is every page where there is no list", async () => {
    const page = await open("plain", `&target_link_uri=${encodeURIComponent(`${site("plain")}/`)}`);
    expect([page.status, page.location, page.notice, page.setCookies]).toEqual(refusal);
  });

  test("programs are told what to do", async () => {
    const answer = await open("shop", "&target_link_uri=https://evil.example/", { accept: "application/json" });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: "unknown_target", error_description: expect.stringContaining("target_link_uris") },
    ]);
  });

  test("a state beyond all limits is refused, whatever it comes with", async () => {
    const page = await open("shop", `&room=shop&state2=${"s".repeat(17_000)}`);
    expect([414, 431]).toContain(page.status);
  });
});
