/** People who have a room open, at two gateways on one Redis. */
import { createHash } from "node:crypto";
import { onTestFinished } from "vitest";
import type { Gateway } from "../../support/gateway.ts";
import { redisStore } from "../redis-store.ts";

export const barKey = "key-of-the-bar-0123456789abcdef0123";
export const deskKey = "key-of-the-desk-0123456789abcdef012";
const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");

export const companyWorld = {
  store: redisStore,
  gateways: 2,
  rooms: [{ id: "shop" }, { id: "bar" }],
  config: {
    admin: {
      keys: [
        { id: "bar", key_sha256: sha256(barKey), rooms: ["bar"], role: "viewer" },
        { id: "desk", key_sha256: sha256(deskKey), role: "box_office" },
      ],
    },
  },
};

interface Company {
  room: string;
  people: { kind: string; name: string; role: string }[];
  more: number;
}

/** Until the test ends, or `close`. */
export async function watch(gateway: Gateway | undefined, key: string, query: string) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${gateway?.origin}/admin/live${query}`, {
    headers,
    signal: abort.signal,
  });
  let text = "";
  void (async () => {
    for await (const chunk of answer.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return {
    status: answer.status,
    text: () => text,
    company: () =>
      Array.from(text.matchAll(/^event: company\ndata: (.*)\n\n/gm), ([, json = ""]) => JSON.parse(json) as Company).at(
        -1,
      ),
    close: () => abort.abort(),
  };
}
