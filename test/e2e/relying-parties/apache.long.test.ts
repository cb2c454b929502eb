// Long: five Apaches, and a wait that is longer than one remembers; apache.test.ts has whole logins.
import { describe, expect, test } from "vitest";
import { useApaches } from "./apaches.ts";

const STATE_TIMEOUT_SEC = 5;
const SERVED_AFTER_MS = 15_000;
const forgetful = "forgetful";

const sendParameter = (path: string, parameter: string) => [
  `<Location ${path}>`,
  `  OIDCPathAuthRequestParams ${parameter}`,
  "</Location>",
];
/** Every login that is begun below `/api/` says so. */
const sendTarget = (target: string) => sendParameter("/api/", `target_link_uri=${encodeURIComponent(target)}`);
/** What logins ask for that are begun below a path, and what they are refused with. */
const refusedLogins: Record<string, [parameter: string, error: string]> = {
  "/silent/": ["prompt=none", "login_required"],
  "/object/": ["request=e30.e30.", "request_not_supported"],
  "/age/": ["max_age=young", "invalid_request"],
};

describe("Apache with mod_auth_openidc", () => {
  const { world, apache } = useApaches([
    {
      room: "deep",
      client: ({ origin }) => ({
        login_timeout: "1s",
        initiate_login_uri: undefined,
        target_link_uris: [`${origin}/*`],
      }),
      extraLines: ({ origin }) => sendTarget(`${origin}/api/`),
    },
    { room: "tabs" },
    { room: "back" },
    {
      room: "refused",
      extraLines: () => Object.entries(refusedLogins).flatMap(([path, [parameter]]) => sendParameter(path, parameter)),
    },
    { room: forgetful, client: () => ({ login_timeout: "4s" }), stateTimeoutSec: STATE_TIMEOUT_SEC },
  ]);

  test("a restart at the redirect URI, as a third party begins logins, keeps the page that the visitor wants", async () => {
    const { origin, errorLog } = apache("deep");
    const visitor = world().visitor();
    const parked = await visitor.navigate(`${origin}/api/`);
    expect(parked.url.searchParams.get("target_link_uri")).toBe(`${origin}/api/`);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await world().admin.increment("deep", 1);
    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/api/`]);
    expect(inside.redirects.map(({ pathname }) => pathname)).toEqual([
      ...["/authorize", "/oidc/callback", "/authorize", "/oidc/callback"],
    ]);
    expect(Object.fromEntries(inside.redirects[1]?.searchParams ?? [])).toEqual({
      iss: world().issuer,
      target_link_uri: `${origin}/api/`,
    });
  });

  test("it remembers several logins: two tabs get in where they wanted to go, the older one first", async () => {
    const { origin, errorLog } = apache("tabs");
    const visitor = world().visitor();
    const tabs = [await visitor.navigate(`${origin}/?tab=1`), await visitor.navigate(`${origin}/?tab=2`)];
    await world().admin.increment("tabs", 1);
    for (const [index, tab] of tabs.entries()) {
      const inside = await visitor.waitInLine(tab);
      expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/?tab=${index + 1}`]);
    }
  });

  test("the back button: the old request leads in again, and the old callback leaves the visitor in", async () => {
    const { origin, errorLog } = apache("back");
    const visitor = world().visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    await world().admin.increment("back", 1);
    const inside = await visitor.waitInLine(parked);
    const sub = /OIDC_CLAIM_sub=(\S+)/.exec(inside.body)?.[1];

    const oldRequest = await visitor.navigate(parked.url);
    expect([oldRequest.status, oldRequest.url.origin], errorLog()).toEqual([200, origin]);
    expect(oldRequest.body).toContain(`OIDC_CLAIM_sub=${sub}`);

    const callback = inside.redirects.find(({ pathname }) => pathname === "/oidc/callback");
    const oldCallback = await visitor.navigate(callback ?? "");
    expect([oldCallback.status, oldCallback.url.origin], errorLog()).toEqual([200, origin]);
    const page = await visitor.navigate(`${origin}/?page=8`);
    expect([page.redirects, page.body.includes(`OIDC_CLAIM_sub=${sub}`)]).toEqual([[], true]);
  });

  test.each(Object.entries(refusedLogins))(
    "a login refused below %s ends with the reason, and not in a loop",
    async (path, [, error]) => {
      const { origin, errorLog } = apache("refused");
      const answer = await world().visitor().navigate(`${origin}${path}`);
      expect([answer.status, answer.url.pathname], errorLog()).toEqual([200, "/oidc/callback"]);
      expect(answer.body).toContain(error);
      expect(answer.redirects.map(({ pathname }) => pathname)).toEqual([path, "/authorize"]);
    },
  );

  test(`OIDCStateTimeout ${STATE_TIMEOUT_SEC}: a visitor who is served after 15 s gets in through the restart`, async () => {
    const { origin, errorLog } = apache(forgetful);
    const visitor = world().visitor();
    const parked = await visitor.navigate(`${origin}/?page=7`);
    const position = parked.position;
    await new Promise((resolve) => setTimeout(resolve, SERVED_AFTER_MS));
    await world().admin.increment(forgetful, 1);

    const inside = await visitor.waitInLine(parked);
    expect([inside.status, inside.url.href], errorLog()).toEqual([200, `${origin}/`]);
    expect(inside.body).toContain(`OIDC_CLAIM_queue_position=${position}`);
    const places = inside.redirects.map(({ origin, pathname }) => `${origin}${pathname}`);
    // Usher → Apache's start page → Usher → callback, and never an answer to the login that Apache forgot.
    expect(places.filter((place) => place.endsWith("/oidc/callback"))).toHaveLength(1);
    expect(errorLog()).not.toContain("state has expired");
  });
});
