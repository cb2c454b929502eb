/**
 * Goal: an Idempotency-Key is its sender's own. Two keys that happen to choose the same one both take their step, and neither learns
 * of the other's; a key that is rotated meanwhile is still the same sender. Method: calls of the line, each of which is counted.
 */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { CLIENT, startPeopleProvider } from "../../support/people-provider.ts";
import { freePort } from "../../support/ports.ts";
import { redisStore } from "../redis-store.ts";
import { useWorld } from "../world.ts";

const port = await freePort();
const here = `http://localhost:${port}`;
const provider = await startPeopleProvider([here]);
afterAll(() => provider.stop());

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const keyOf = (id: string) => `key-of-${id}-0123456789abcdef`;
const ids = ["desk", "desk-2"];

const world = useWorld(() => ({
  store: redisStore,
  ports: [port],
  rooms: [{ id: "line" }],
  config: {
    admin: {
      keys: [
        { id: "chief", key_sha256: sha256(ADMIN_KEY) },
        ...ids.map((id) => ({ id, key_sha256: sha256(keyOf(id)), role: "operator" })),
      ],
      sign_in: {
        issuer: provider.issuer,
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        roles: [{ claim: "groups", value: "desk", role: "operator" }],
      },
    },
  },
}));

beforeAll(async () => {
  for (let visitor = 0; visitor < 40; visitor++)
    await world().http.request(`${world().issuer}/rooms/line/tickets`, { method: "POST" });
});

/** Lets one more in; answers the status and up to where the line was called. */
async function call(headers: Record<string, string>, idempotencyKey: string, by = 1) {
  const answer = await world().http.request(`${here}/admin/rooms/line/serving`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": idempotencyKey },
    body: { increment_by: by },
  });
  return [answer.status, (answer.json() as { serving?: number }).serving] as const;
}
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function signIn() {
  provider.person = { sub: "desk", claims: { groups: ["desk"] } };
  const visitor = world().visitor();
  await visitor.navigate(`${here}/admin/sign-in/start`);
  const cookie = `usher-session=${visitor.jar.get("usher-session")?.value}`;
  const { csrf_token } = (await world().http.get(`${here}/admin/session`, { cookie })).json() as { csrf_token: string };
  return { cookie, origin: here, "x-csrf-token": csrf_token };
}

test("the same one of two keys and of a person is three calls, and each that is sent again gets its own answer", async () => {
  const senders = [bearer(keyOf("desk")), bearer(keyOf("desk-2")), await signIn()];
  const answers = [];
  for (const sender of senders) answers.push(await call(sender, "again"));
  expect(answers).toEqual([
    [200, 1],
    [200, 2],
    [200, 3],
  ]);
  for (const [index, sender] of senders.entries()) expect(await call(sender, "again")).toEqual(answers[index]);
  // Another request under it is refused to its own sender alone.
  expect(await call(senders[0] as Record<string, string>, "again", 2)).toEqual([422, undefined]);
});

test("ids and keys that are alike when they are put together are still two", async () => {
  expect(await call(bearer(keyOf("desk")), "-2again")).toEqual([200, 4]);
  expect(await call(bearer(keyOf("desk-2")), "again-2")).toEqual([200, 5]);
});

test("of a key that was rotated it is still the same sender's", async () => {
  const admin = world().admin;
  const made = await admin.request("POST", "/api-keys", { id: "turning", role: "operator" });
  const { secret } = made.json() as { secret: string };
  const first = await call(bearer(secret), "turned");
  expect(first).toEqual([200, 6]);
  const rotated = (await admin.request("POST", "/api-keys/turning/rotate", { overlap: "0s" })).json() as {
    secret: string;
  };
  expect(await call(bearer(rotated.secret), "turned")).toEqual(first);
  expect((await call(bearer(secret), "turned"))[0]).toBe(401);
});

test.each([
  ["of 129 characters", "x".repeat(129), 400],
  ["of two words", "two words", 400],
  ["of 128 characters", "x".repeat(128), 200],
])("one %s is answered by its status", async (_, key, status) => {
  expect((await call(bearer(keyOf("desk")), key))[0]).toBe(status);
});
