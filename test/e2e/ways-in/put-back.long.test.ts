// Long: a Redis that is put back, in two ways; the contract of the store in test/contract shows the rules.
/**
 * Goal: after the store has gone on with older data, a used invitation gives no second place and an unused one still gives its first; a confirmation, used or
 * not, confirms nothing; a sign-in that has ended signs nobody in. Method: two gateways, a real Redis whose snapshot is from before the use.
 */
import { afterAll, describe, expect, test } from "vitest";
import { type Admin, createAdmin } from "../../support/admin.ts";
import { createInvitationSigner } from "../../support/invitations.ts";
import { CLIENT, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import type { RedisServer } from "../../support/redis-server.ts";
import type { Visitor } from "../../support/visitor.ts";
import { ownRedis } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const secret = "secret-of-the-mailing-0123456789abcdef";
const target = "https://shop.example.test/";
const invited = { entry: "invited", invitations: { secret }, targets: [target] };
const [room, calm] = ["shop", "calm"];
const ways = [
  ["put back in place", (server: RedisServer) => server.restoreInPlace()],
  ["restarted with an older file", (server: RedisServer) => server.restore()],
] as const;
const patient = { timeout: 60_000, interval: 200 };

async function countsAt(admin: Admin, room: string): Promise<Record<string, number>> {
  return ((await admin.request("GET", `/rooms/${room}`)).json() as { counts?: Record<string, number> }).counts ?? {};
}

async function confirmation(admin: Admin, room: string): Promise<string> {
  const answer = await admin.request("POST", `/rooms/${room}/end`, undefined, { prefer: "confirmation" });
  return (answer.json() as { confirm: string }).confirm;
}

/** Null while the store is away. */
async function confirm(admin: Admin, room: string, token: string): Promise<string | null> {
  const answer = await admin.request("POST", `/rooms/${room}/end`, undefined, { confirm: token });
  if (answer.status === 503) return null;
  return answer.status < 300 ? "carried out" : ((answer.json() as { error: string }).error ?? "");
}

describe.each(ways)("a store that was %s", async (_, rollBack) => {
  const redis = ownRedis();
  const ports = [await freePort(), await freePort()];
  const here = `http://localhost:${ports[0]}`;
  const provider = await startPeopleProvider([here]);
  afterAll(() => provider.stop());
  const world = useWorld(() => ({
    store: redis.store,
    ports,
    gateways: 2,
    rooms: [{ id: room, settings: invited }, { id: calm }],
    config: {
      admin: {
        sign_in: {
          issuer: provider.issuer,
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          roles: [{ claim: "groups", value: "desk", role: "admin" }],
        },
      },
    },
  }));

  const isOutside = ({ origin }: URL) => origin !== world().issuer;
  const enterBy = (link: string) => world().visitor().navigate(link, { stopAt: isOutside });

  /** As far as the way back from the provider, which is not taken yet. */
  async function beginSignIn(): Promise<{ visitor: Visitor; callback: URL; cookie: string }> {
    provider.person = { sub: "ada", claims: { groups: ["desk"] } };
    const visitor = world().visitor();
    const isCallback = ({ pathname }: URL) => pathname === "/admin/sign-in/callback";
    const { location } = await visitor.navigate(`${here}/admin/sign-in/start`, { stopAt: isCallback });
    if (location === undefined) throw new Error("the provider sent nobody back");
    return { visitor, callback: location, cookie: `usher-sign-in=${visitor.jar.get("usher-sign-in")?.value}` };
  }

  async function isSignedIn(visitor: Visitor): Promise<boolean> {
    const cookie = `usher-session=${visitor.jar.get("usher-session")?.value}`;
    const answer = await world().http.get(`${here}/admin/session`, { cookie });
    return (answer.json() as { principal: unknown }).principal !== null;
  }

  const signer = () => createInvitationSigner({ issuer: world().issuer, room, secret });

  test("gives back nothing that works once", async () => {
    const [admin, other] = world().gateways.map((each) => createAdmin(world().http, each.operatorsOrigin)) as [
      Admin,
      Admin,
    ];
    const expiresAt = new Date(Date.now() + 3_600_000);
    const [ann, bob] = [await signer().link({ key: "ann", expiresAt }), await signer().link({ key: "bob", expiresAt })];
    const [used, unused] = [await confirmation(admin, room), await confirmation(admin, calm)];
    const signIn = await beginSignIn();
    await redis.server().save();

    const first = world().visitor();
    expect((await first.navigate(ann, { stopAt: isOutside })).position).toBe(1);
    await admin.increment(room, 1);
    const entered = await first.login(ann, { stopAt: isOutside });
    expect(entered.location?.href).toContain(`${target}?usher_token=`);
    expect(await confirm(admin, room, used)).toBe("carried out");
    await admin.step(room, "open");
    await signIn.visitor.navigate(signIn.callback);
    expect(await isSignedIn(signIn.visitor)).toBe(true);
    for (const each of [admin, other]) {
      await expect.poll(() => countsAt(each, room), patient).toMatchObject({ joined: 1, entered: 1 });
    }

    await rollBack(redis.server());
    for (const each of [other, admin]) {
      for (const [where, token] of [
        [room, used],
        [calm, unused],
      ] as const) {
        const answers: (string | null)[] = [];
        const ask = async () => answers.push(await confirm(each, where, token)) > 0 && answers.at(-1);
        await expect.poll(ask, patient).toBe("confirmation_required");
        expect(answers).not.toContain("carried out");
      }
    }
    // The way back from the provider once more, by a browser that has a copy of everything.
    const again = await world().http.get(signIn.callback, { cookie: signIn.cookie });
    expect(again.status).toBe(403);
    expect(again.setCookies.filter((each) => each.startsWith("usher-session="))).toEqual([]);

    // The person with the used invitation is who they were, in another browser, too; the other one gets a place of their own.
    await expect.poll(async () => (await enterBy(ann)).location?.origin, patient).toBe(new URL(target).origin);
    const place = await enterBy(bob);
    expect(place.position).toBeGreaterThan(1);
    for (const each of [admin, other]) {
      await expect.poll(() => countsAt(each, room), patient).toMatchObject({ joined: 2, entered: 1 });
    }
  });
});
