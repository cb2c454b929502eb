/**
 * Goal: with `admin.four_eyes` a dangerous step takes the word of two people at whichever gateway, is carried out exactly once, and
 * never by one person alone: not with another browser, not with a key.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { CLIENT, type PeopleProvider, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const fourEyes = ["end", "passthrough", "reset"];

interface Pending {
  id: string;
  step: string;
  would: string | null;
  asked_by: { id: string; name: string | null };
  own: boolean;
}
interface Row {
  route: string;
  principal: { id: string; name?: string } | null;
  subject: Record<string, string>;
  status: number;
  error: string | null;
}

describe("people at a provider", async () => {
  const ports = [await freePort(), await freePort()];
  const here = `http://localhost:${ports[0]}`;
  const provider: PeopleProvider = await startPeopleProvider([here]);
  const rooms = ["ended", "raced", "declined", "changed", "restarted", "keys", "left", "bar"].map((id) => ({ id }));
  const world = useWorld(() => ({
    store: redisStore,
    ports,
    gateways: 2,
    rooms,
    config: {
      admin: {
        four_eyes: fourEyes,
        sign_in: {
          issuer: provider.issuer,
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          roles: [
            { claim: "groups", value: "operators", role: "operator" },
            { claim: "groups", value: "bar", role: "operator", rooms: ["bar"] },
            { claim: "groups", value: "desk", role: "box_office" },
            { claim: "groups", value: "admins", role: "admin" },
          ],
        },
      },
    },
  }));
  afterAll(() => provider.stop());

  async function signIn(sub: string, group: string) {
    provider.person = { sub, claims: { name: sub.toUpperCase(), groups: [group] } };
    const visitor = world().visitor();
    await visitor.navigate(`${here}/admin/sign-in/start?return_to=%2Fadmin%2Fsign-in`);
    const cookie = `usher-session=${visitor.jar.get("usher-session")?.value}`;
    const session = (await world().http.get(`${here}/admin/session`, { cookie })).json() as { csrf_token: string };
    const ask = (index: number, method: string, path: string, headers = {}) =>
      world().http.request(`${world().gateways[index]?.origin}/admin${path}`, {
        method,
        headers: { cookie, origin: here, "x-csrf-token": session.csrf_token, ...headers },
      });
    return {
      ask,
      /** Says yes to the question, too. */
      async sure(index: number, path: string) {
        const question = await ask(index, "POST", path);
        if (question.status !== 428) return question;
        const { confirm = "" } = question.json() as { confirm?: string };
        return ask(index, "POST", path, { confirm });
      },
      pending: async (index: number, room: string) =>
        ((await ask(index, "GET", `/rooms/${room}/approvals`)).json() as { approvals: Pending[] }).approvals,
    };
  }
  type Person = Awaited<ReturnType<typeof signIn>>;
  let ada: Person;
  let bob: Person;
  beforeAll(async () => {
    ada = await signIn("ada", "operators");
    bob = await signIn("bob", "operators");
  });

  /** As the gateway that was asked last knows it. */
  async function phaseOf(room: string, index = 1) {
    const shown = (await ada.ask(index, "GET", `/rooms/${room}`)).json() as { base_phase: string; edition: number };
    return shown;
  }
  async function asked(by: Person, room: string, step: string, index = 0): Promise<string> {
    const answer = await by.sure(index, `/rooms/${room}/${step}`);
    expect(answer.json()).toMatchObject({ error: "approval_required", approval: expect.any(String) });
    expect(answer.status).toBe(428);
    return (answer.json() as { approval: string }).approval;
  }
  async function rowsOf(room: string): Promise<Row[]> {
    const admin = await signIn("root", "admins");
    return ((await admin.ask(0, "GET", `/audit?room=${room}`)).json() as { rows: Row[] }).rows;
  }

  test("one is told that it takes two, and asks; another sees who and what it means, approves at the other gateway, and the audit has both", async () => {
    expect((await ada.ask(0, "POST", "/rooms/ended/end")).json()).toMatchObject({ takes_two: true });
    const id = await asked(ada, "ended", "end");
    expect((await phaseOf("ended")).base_phase).toBe("open");
    expect(await bob.pending(1, "ended")).toEqual([
      expect.objectContaining({
        id,
        step: "end",
        would: "0 people would be turned away",
        own: false,
        asked_by: { kind: "person", id: "person:ada", name: "ADA" },
      }),
    ]);
    expect(await ada.pending(1, "ended")).toEqual([expect.objectContaining({ id, own: true })]);
    const path = `/rooms/ended/approvals/${id}/approve`;
    const question = await bob.ask(1, "POST", path);
    expect(question.json()).toMatchObject({
      error: "confirmation_required",
      would: "0 people would be turned away",
      takes_two: false,
    });
    expect((await phaseOf("ended")).base_phase).toBe("open");
    const { confirm } = question.json() as { confirm: string };
    expect((await bob.ask(1, "POST", path, { confirm })).json()).toMatchObject({ phase: "ended" });
    expect((await phaseOf("ended")).base_phase).toBe("ended");
    expect(await bob.pending(0, "ended")).toEqual([]);
    expect((await bob.ask(0, "POST", path, { confirm })).status).toBe(404);
    const rows = await rowsOf("ended");
    expect(rows.find(({ error }) => error === "approval_required")).toMatchObject({
      principal: { id: "person:ada", name: "ADA" },
      subject: { approval: id },
    });
    expect(rows.find(({ route, error }) => route.endsWith("/approve") && error === null)).toMatchObject({
      principal: { id: "person:bob", name: "BOB" },
      subject: { approval: id, step: "end", asked_by: "person:ada", asked_by_name: "ADA" },
    });
  });

  test("nobody gives both words: not in another browser, and not with a role or rooms that are too small", async () => {
    const id = await asked(ada, "bar", "reset");
    const path = `/rooms/bar/approvals/${id}/approve`;
    expect((await ada.sure(1, path)).json()).toMatchObject({ error: "forbidden" });
    const again = await signIn("ada", "admins");
    expect((await again.sure(1, path)).json()).toMatchObject({ error: "forbidden" });
    // Who asks for the same is no approval by the way.
    expect((await bob.sure(0, "/rooms/bar/reset")).json()).toMatchObject({ error: "conflict" });
    const desk = await signIn("dora", "desk");
    for (const [method, of] of [
      ["POST", path],
      ["DELETE", `/rooms/bar/approvals/${id}`],
      ["GET", "/rooms/bar/approvals"],
    ] as const) {
      expect((await desk.ask(0, method, of)).status).toBe(403);
    }
    const barkeeper = await signIn("bert", "bar");
    expect((await barkeeper.ask(0, "GET", "/rooms/ended/approvals")).status).toBe(403);
    // An id is good in its own room alone.
    expect((await bob.sure(0, `/rooms/raced/approvals/${id}/approve`)).status).toBe(404);
    const before = (await phaseOf("bar")).edition;
    expect((await barkeeper.sure(0, path)).status).toBe(200);
    expect((await phaseOf("bar", 0)).edition).toBeGreaterThan(before);
  });

  test("a key can neither ask nor approve, and may decline", async () => {
    const { admin } = world();
    expect((await admin.request("POST", "/rooms/keys/end")).json()).toMatchObject({ error: "forbidden" });
    const id = await asked(ada, "keys", "end");
    expect((await admin.request("POST", `/rooms/keys/approvals/${id}/approve`)).status).toBe(403);
    expect((await phaseOf("keys")).base_phase).toBe("open");
    expect((await admin.request("POST", "/rooms/keys/pause")).status).toBe(200);
    expect((await admin.request("DELETE", `/rooms/keys/approvals/${id}`)).status).toBe(204);
    expect(await ada.pending(0, "keys")).toEqual([]);
  });

  test("two approvals at once carry a reset out once", async () => {
    const id = await asked(ada, "raced", "reset");
    const others = await Promise.all([bob, await signIn("cy", "operators"), await signIn("dee", "operators")]);
    const path = `/rooms/raced/approvals/${id}/approve`;
    const tokens = await Promise.all(
      others.map(async (each) => ((await each.ask(0, "POST", path)).json() as { confirm: string }).confirm),
    );
    const answers = await Promise.all(
      others.flatMap((each, at) => [0, 1].map((index) => each.ask(index, "POST", path, { confirm: tokens[at] }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404, 409, 428]).toContain(status);
    const resets = (await rowsOf("raced")).filter(({ route, error }) => route.endsWith("/approve") && error === null);
    expect(resets).toHaveLength(1);
  });

  test("the first withdraws, another declines, and it is over at both gateways", async () => {
    for (const [by, index] of [
      [ada, 1],
      [bob, 0],
    ] as const) {
      const id = await asked(ada, "declined", "passthrough");
      expect(await bob.pending(1, "declined")).toHaveLength(1);
      expect((await by.ask(index, "DELETE", `/rooms/declined/approvals/${id}`)).status).toBe(204);
      expect((await bob.sure(1, `/rooms/declined/approvals/${id}/approve`)).status).toBe(404);
      expect((await by.ask(index, "DELETE", `/rooms/declined/approvals/${id}`)).status).toBe(404);
    }
    expect((await phaseOf("declined")).base_phase).toBe("open");
  });

  test("a room that has changed since is another question: it is refused, and can be asked anew", async () => {
    const id = await asked(ada, "changed", "end");
    expect((await bob.ask(0, "POST", "/rooms/changed/idle")).status).toBe(200);
    expect(await bob.pending(1, "changed")).toEqual([]);
    expect((await bob.sure(1, `/rooms/changed/approvals/${id}/approve`)).json()).toMatchObject({ error: "conflict" });
    const anew = await asked(bob, "changed", "end");
    expect(anew).not.toBe(id);
    expect((await ada.sure(0, `/rooms/changed/approvals/${anew}/approve`)).status).toBe(200);
  });

  test("a request ends with the right of the person who asked, and with another phase though it has come back", async () => {
    const eve = await signIn("eve", "operators");
    const first = await asked(eve, "left", "end");
    const admin = await signIn("root", "admins");
    const { sessions } = (await admin.ask(0, "GET", "/sessions")).json() as {
      sessions: { id: string; principal: { id: string } }[];
    };
    for (const { id } of sessions.filter(({ principal }) => principal.id === "person:eve"))
      expect((await admin.ask(0, "DELETE", `/sessions/${id}`)).status).toBe(204);
    expect(await bob.pending(1, "left")).toEqual([]);
    expect((await bob.sure(1, `/rooms/left/approvals/${first}/approve`)).status).toBe(404);
    const second = await asked(ada, "left", "end");
    for (const step of ["idle", "open"]) expect((await bob.ask(0, "POST", `/rooms/left/${step}`)).status).toBe(200);
    expect(await bob.pending(1, "left")).toEqual([]);
    expect((await bob.sure(1, `/rooms/left/approvals/${second}/approve`)).json()).toMatchObject({ error: "conflict" });
  });

  test("a request outlives the gateway that took it", async () => {
    const id = await asked(ada, "restarted", "end");
    await world().gateways[0]?.halt();
    expect((await bob.sure(1, `/rooms/restarted/approvals/${id}/approve`)).status).toBe(200);
    expect((await phaseOf("restarted")).base_phase).toBe("ended");
  });
});

describe("keys, where nobody signs in", () => {
  const second = "key-of-the-second-0123456789abcdef0123";
  const world = useWorld(async () => ({
    store: redisStore,
    rooms: [{ id: "shop" }, { id: "bar" }, { id: "hall" }],
    config: {
      admin: {
        four_eyes: ["end"],
        keys: [
          {
            id: "second",
            key_sha256: Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(second))).toString("hex"),
          },
        ],
      },
    },
  }));

  test("take two of the file: a key that was made with the first is the first", async () => {
    const { admin, http, issuer } = world();
    const made = (await admin.request("POST", "/api-keys", { role: "admin" })).json() as { secret: string };
    const step = await admin.request("POST", "/rooms/shop/end");
    expect(step.json()).toMatchObject({ error: "approval_required" });
    const { approval } = step.json() as { approval: string };
    const approve = (key: string) =>
      http.request(`${issuer}/admin/rooms/shop/approvals/${approval}/approve`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
      });
    for (const key of [ADMIN_KEY, made.secret]) expect((await approve(key)).status).toBe(403);
    expect((await approve(second)).json()).toMatchObject({ phase: "ended" });
    // Only what is in the setting takes two.
    expect((await admin.request("POST", "/rooms/shop/reset")).status).toBe(200);
  });

  test("a key whose maker's name another key took has nobody's word, and no name is taken twice", async () => {
    const { admin, http, issuer } = world();
    const request = (key: string, method: string, path: string, body?: object) =>
      http.request(`${issuer}/admin${path}`, {
        method,
        headers: { authorization: `Bearer ${key}` },
        ...(body && { body }),
      });
    const maker = (await request(second, "POST", "/api-keys", { id: "maker", role: "admin" })).json() as {
      secret: string;
    };
    const child = (await request(maker.secret, "POST", "/api-keys", { id: "child", role: "admin" })).json() as {
      secret: string;
    };
    expect((await admin.request("DELETE", "/api-keys/maker")).status).toBe(204);
    const again = await admin.request("POST", "/api-keys", { id: "maker", role: "admin" });
    expect([again.status, again.body]).toEqual([409, expect.stringContaining("choose another id")]);
    const step = await admin.request("POST", "/rooms/hall/end");
    const { approval } = step.json() as { approval: string };
    expect((await request(child.secret, "POST", `/rooms/hall/approvals/${approval}/approve`)).status).toBe(403);
    expect((await request(second, "DELETE", `/rooms/hall/approvals/${approval}`)).status).toBe(204);
  });

  test("a request ends with the right of the key that asked", async () => {
    const { admin, http, issuer } = world();
    const made = (await admin.request("POST", "/api-keys", { id: "leaver", role: "operator" })).json() as {
      secret: string;
    };
    const request = (key: string, method: string, path: string) =>
      http.request(`${issuer}/admin${path}`, { method, headers: { authorization: `Bearer ${key}` } });
    const { approval } = (await request(made.secret, "POST", "/rooms/hall/end")).json() as { approval: string };
    const pending = async () =>
      ((await request(second, "GET", "/rooms/hall/approvals")).json() as { approvals: Pending[] }).approvals;
    expect(await pending()).toEqual([expect.objectContaining({ id: approval })]);
    expect((await admin.request("DELETE", "/api-keys/leaver")).status).toBe(204);
    expect(await pending()).toEqual([]);
    expect((await request(second, "POST", `/rooms/hall/approvals/${approval}/approve`)).status).toBe(404);
    // Another may ask anew.
    expect((await request(second, "POST", "/rooms/hall/end")).json()).toMatchObject({ error: "approval_required" });
  });

  test("whoever rotates another's key has not got a second word", async () => {
    const { admin, http, issuer } = world();
    const request = (key: string, path: string, body?: object) =>
      http.request(`${issuer}/admin${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        ...(body && { body }),
      });
    const made = (await request(second, "/api-keys", { id: "seconds", role: "admin" })).json() as { secret: string };
    const rotated = (await admin.request("POST", "/api-keys/seconds/rotate")).json() as { secret: string };
    // Not by rotating it again with itself, either.
    const again = (await request(rotated.secret, "/api-keys/seconds/rotate")).json() as { secret: string };
    const step = await admin.request("POST", "/rooms/bar/end");
    const { approval } = step.json() as { approval: string };
    const approve = (key: string) => request(key, `/rooms/bar/approvals/${approval}/approve`);
    for (const key of [made, rotated, again]) expect((await approve(key.secret)).status).toBe(403);
    expect((await approve(second)).json()).toMatchObject({ phase: "ended" });
  });
});
