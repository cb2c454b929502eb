/** What operators see of the home: at the room, in metrics, in the audit, and what a look from outside goes by. */
import { AwsClient } from "aws4fetch";
import { describe, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { askForPublicAnswers } from "../../../support/public-answers.ts";
import { accessKeyId, createHomeClient, homeOf, privatePath, secretAccessKey } from "../support/home-client.ts";

interface Row {
  readonly principal: { readonly kind: string; readonly id: string; readonly role: string } | null;
  readonly method: string;
  readonly route: string;
  readonly room: string | null;
  readonly subject: Readonly<Record<string, string>>;
  readonly changes: readonly { readonly member: string; readonly from?: unknown; readonly to?: unknown }[];
  readonly inverse: unknown;
  readonly status: number;
  readonly error: string | null;
}

const viewer = { access_key_id: "AKIDVIEWER", secret_access_key: "v".repeat(40), role: "viewer" };
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "tickets" }, { id: "alone" }],
  config: homeOf(
    { Sample: "tickets" },
    {
      origins: ["https://a.test", "https://b.test"],
      keys: [{ access_key_id: accessKeyId, secret_access_key: secretAccessKey }, viewer],
    },
  ),
}));
const home = createHomeClient(() => world().issuer);
const rows = async (query = "") => {
  const answer = await world().admin.request("GET", `/audit?limit=100${query}`);
  const { rows: found } = answer.json() as { rows: (Row & { readonly kind: string })[] };
  return found.filter(({ kind, route }) => kind === "request" && route.startsWith(privatePath)).toReversed();
};
const metrics = async () => (await world().http.get(`${world().issuer}/metrics`)).body;

test("a room says whose clients come to it, and another says that nobody's do", async () => {
  const homes = async (room: string) =>
    ((await world().admin.request("GET", `/rooms/${room}`)).json() as { homes: object[] }).homes;
  expect(await homes("tickets")).toEqual([
    { system: "AWS Virtual Waiting Room", ids: ["Sample"], guide: "docs/homes/aws.md" },
  ]);
  expect(await homes("alone")).toEqual([]);
  expect(await metrics()).toContain('usher_home{room="tickets",system="AWS Virtual Waiting Room",id="Sample"} 1');
});

test("the gateway answers all that a look from outside asks for", async () => {
  const [gateway] = world().gateways;
  if (gateway === undefined) throw new Error("there is a gateway");
  expect(await askForPublicAnswers(gateway)).toEqual(
    Object.fromEntries(
      ["serving_num", "waiting_num", "public_key"].map((name) => [`/aws/public/${name}?event_id=Sample`, null]),
    ),
  );
});

describe("in the audit", () => {
  const key = { kind: "key", id: `aws:${accessKeyId}`, role: "operator" };
  const of = (name: string, more: Partial<Row>) =>
    expect.objectContaining({ method: "POST", route: `${privatePath}/${name}`, status: 200, error: null, ...more });
  const about = { room: "tickets", subject: { event: "Sample" } };

  test("each private call that changes something has a row, that names no request id", async () => {
    const [first, second] = [await home.assign(), await home.assign()];
    await home.privately("POST", "generate_token", { event_id: "Sample", request_id: first });
    await home.increment(0);
    await home.increment(2);
    await home.privately("POST", "generate_token", { event_id: "Sample", request_id: first });
    await home.session(first, 1);
    await home.session(first, 1);
    await home.activeTokens();
    await home.expiredTokens();
    await home.privately("POST", "reset_initial_state", { event_id: "Sample" });
    await home.privately("POST", "reset_initial_state", { event_id: "nothing" });
    const found = await rows();
    const ofVisitor = { ...about, subject: { event: "Sample", sub: expect.stringMatching(/^tickets/) } };
    expect(found).toEqual([
      of("increment_serving_counter", { ...about, principal: key, changes: [{ member: "/serving", from: 0, to: 2 }] }),
      of("generate_token", { ...ofVisitor, principal: key, changes: [], inverse: null }),
      of("update_session", {
        ...ofVisitor,
        principal: key,
        changes: [{ member: "/status", from: "live", to: "completed" }],
      }),
      of("update_session", { ...ofVisitor, changes: [], status: 404, error: "not_found" }),
      of("reset_initial_state", {
        ...about,
        principal: key,
        changes: [{ member: "/edition", from: expect.any(Number), to: expect.any(Number) }],
      }),
    ]);
    const everything = (await world().admin.request("GET", "/audit?limit=100")).body;
    for (const id of [first, second]) expect(everything).not.toContain(id);
    expect(world().gateways[0]?.output()).not.toContain(first);
    const counted = [...(await metrics()).matchAll(/^usher_aws_home_(joins|admissions)_total\{(.*)\} (\d+)$/gm)];
    expect(counted.map(([, what, labels, count]) => [what, labels, count])).toEqual([
      ["joins", 'room="tickets"', "2"],
      ["admissions", 'room="tickets",via="queue"', "1"],
    ]);
  });

  test("what was refused has one, too, of whatever key; reads have none, unless with a wrong one", async () => {
    const before = (await rows()).length;
    const clientOf = (accessKey: string, secret: string) =>
      new AwsClient({ accessKeyId: accessKey, secretAccessKey: secret, service: "execute-api", retries: 0 });
    const ofViewer = clientOf(viewer.access_key_id, viewer.secret_access_key);
    const wrong = clientOf(accessKeyId, "x".repeat(40));
    const step = { event_id: "Sample", increment_by: 1 };
    await home.privately("POST", "increment_serving_counter", step, ofViewer);
    await home.privately("POST", "increment_serving_counter", { ...step, increment_by: "1" });
    await home.privately("POST", "increment_serving_counter", step, wrong);
    await home.privately("GET", "num_active_tokens", { event_id: "Sample" }, ofViewer);
    await home.privately("GET", "num_active_tokens", { event_id: "Sample" }, wrong);
    await fetch(`${world().issuer}${privatePath}/update_session`, {
      method: "POST",
      headers: { Authorization: `Bearer ${ADMIN_KEY}` },
      body: JSON.stringify({ event_id: "Sample", request_id: "not-an-id", status: 1 }),
    });
    await expect.poll(async () => (await rows()).length).toBe(before + 5);
    expect((await rows()).slice(before)).toEqual([
      of("increment_serving_counter", {
        ...about,
        principal: { kind: "key", id: "aws:AKIDVIEWER", role: "viewer" },
        status: 403,
        error: "forbidden",
      }),
      of("increment_serving_counter", { ...about, principal: key, changes: [], status: 400, error: "bad_request" }),
      of("increment_serving_counter", { principal: null, room: null, subject: {}, status: 403, error: "forbidden" }),
      of("num_active_tokens", { method: "GET", principal: null, room: null, status: 403, error: "forbidden" }),
      of("update_session", {
        ...about,
        principal: { kind: "key", id: "env", role: "admin" },
        status: 400,
        error: "bad_request",
      }),
    ]);
    expect(await rows("&room=tickets&route=/increment_serving_counter&result=refused")).toHaveLength(2);
  });
});
