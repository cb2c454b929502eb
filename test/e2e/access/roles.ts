/** Keys and people of each role, for all rooms and for one, and the routes that they ask. */
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { routeTable } from "../../../scripts/lib/openapi/routes.ts";
import { ROLES, type Role } from "../../../src/config/index.ts";
import { CLIENT, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { memoryStore, useWorld } from "../world.ts";

interface Principal {
  readonly id: string;
  readonly role: Role;
  readonly rooms: readonly string[] | null;
}

const principals: readonly Principal[] = ROLES.flatMap((role) => [
  { id: `${role}-of-all`, role, rooms: null },
  { id: `${role}-of-own`, role, rooms: ["own"] },
]);
export const keyOf = (id: string) => `key-of-${id}-0123456789abcdef`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

type Headers = Record<string, string>;

/** Answers that come as things happen, and do not end. */
export const endless = new Set(routeTable.filter(({ type }) => type === "text/event-stream").map(({ path }) => path));

export type RolesWorld = Awaited<ReturnType<typeof useRoles>>;

export async function useRoles() {
  const port = await freePort();
  const here = `http://localhost:${port}`;
  const provider = await startPeopleProvider([here]);
  afterAll(() => provider.stop());

  const world = useWorld(() => ({
    store: memoryStore,
    ports: [port],
    rooms: [{ id: "own" }, { id: "other" }],
    config: {
      admin: {
        sign_in: {
          issuer: provider.issuer,
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          roles: principals.map(({ id, role, rooms }) => ({
            claim: "groups",
            value: id,
            role,
            ...(rooms && { rooms }),
          })),
        },
        keys: principals.map(({ id, role, rooms }) => ({
          id,
          key_sha256: sha256(keyOf(id)),
          role,
          ...(rooms && { rooms }),
        })),
      },
    },
  }));

  async function beginning(url: string, headers: Record<string, string>) {
    const answer = await fetch(url, { headers });
    if (answer.status !== 200) return { status: answer.status, body: await answer.text() };
    await answer.body?.cancel();
    return { status: 200, body: "" };
  }

  /** What a page of the operators' own sends for somebody whose group gives this role. */
  async function signIn(id: string): Promise<Headers> {
    provider.person = { sub: id, claims: { groups: [id] } };
    const visitor = world().visitor();
    await visitor.navigate(`${here}/admin/sign-in/start`);
    const cookie = `usher-session=${visitor.jar.get("usher-session")?.value}`;
    const { csrf_token } = (await world().http.get(`${here}/admin/session`, { cookie })).json() as {
      csrf_token: string;
    };
    return { cookie, origin: here, "x-csrf-token": csrf_token };
  }

  async function ask(id: string, method: string, path: string, body: object = {}, ofPerson?: Headers) {
    const headers = ofPerson ?? { authorization: `Bearer ${keyOf(id)}` };
    if (method === "GET" && endless.has(path)) return beginning(`${world().issuer}/admin${path}`, headers);
    const sent = method === "GET" ? {} : { body };
    return world().http.request(`${world().issuer}/admin${path}`, { method, headers, ...sent });
  }

  const named = (path: string, room: string) =>
    path.replace(":room", room).replace(":client", "site-own").replaceAll(/:\w+/g, "x");
  return { world, signIn, ask, named };
}

/** @param isThorough each principal at each route; otherwise those whose role is just enough or just too little, and people at some routes */
export function describeMatrix({ signIn, ask, named }: RolesWorld, isThorough: boolean): void {
  const isAsked = (principal: Principal, role: Role) =>
    isThorough || [0, -1].includes(ROLES.indexOf(principal.role) - ROLES.indexOf(role));

  test.each(["key", "person"])(
    "role × rooms × route, by %s: whoever has less than a route takes gets 403, and everybody else an answer of the route",
    async (kind) => {
      const people = new Map<string, Headers>();
      if (kind === "person") for (const { id } of principals) people.set(id, await signIn(id));
      // People are asked before what cannot be taken back.
      const taken = [200, 201, 204, 400, 404, 409, ...(kind === "person" ? [428] : [])];
      const routes = routeTable.filter((_, index) => isThorough || kind === "key" || index % 4 === 0);
      for (const { method, path, role, reach } of routes) {
        for (const principal of principals.filter((each) => isAsked(each, role))) {
          for (const room of path.includes(":room") ? ["own", "other"] : ["own"]) {
            const hasRole = ROLES.indexOf(principal.role) >= ROLES.indexOf(role);
            const hasRooms = principal.rooms === null || reach === "own" || (reach === "room" && room === "own");
            const { status, body } = await ask(principal.id, method, named(path, room), {}, people.get(principal.id));
            const told = `${principal.id}: ${method} ${named(path, room)} answered ${status} ${body}`;
            if (hasRole && hasRooms) expect(taken, told).toContain(status);
            else expect([status, body.includes('"error":"forbidden"')], told).toEqual([403, true]);
          }
        }
      }
    },
  );
}
