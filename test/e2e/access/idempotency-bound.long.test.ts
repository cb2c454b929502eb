// Long: sends a thousand requests.
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { memoryStore, useWorld } from "../world.ts";

const keyOf = (id: string) => `key-of-${id}-0123456789abcdef`;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "line" }],
  config: {
    admin: { keys: ["desk", "desk-2"].map((id) => ({ id, key_sha256: sha256(keyOf(id)), role: "operator" })) },
  },
}));
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function call(headers: Record<string, string>, idempotencyKey: string, by = 1) {
  const answer = await world().http.request(`${world().issuer}/admin/rooms/line/serving`, {
    method: "POST",
    headers: { ...headers, "idempotency-key": idempotencyKey },
    body: { increment_by: by },
  });
  return [answer.status, (answer.json() as { serving?: number }).serving] as const;
}

test("one sender's repeatable requests are bounded; others, and requests without one, are not", async () => {
  const before = await call(bearer(keyOf("desk")), "before");
  const answers: number[] = [];
  for (let batch = 0; batch < 60 && !answers.includes(429); batch++) {
    const batched = await Promise.all(
      Array.from({ length: 50 }, (_, at) => call(bearer(keyOf("desk-2")), `${batch}-${at}`, 0)),
    );
    answers.push(...batched.map(([status]) => status));
  }
  expect(answers.filter((status) => status !== 429).length).toBeGreaterThanOrEqual(990);
  expect(answers).toContain(429);
  expect(await call(bearer(keyOf("desk")), "before")).toEqual(before);
  const plain = await world().http.get(`${world().issuer}/admin/rooms/line`, bearer(keyOf("desk-2")));
  expect(plain.status).toBe(200);
});
