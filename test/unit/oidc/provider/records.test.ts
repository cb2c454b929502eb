import { errors } from "oidc-provider";
import { expect, test } from "vitest";
import { createAdapterFactory, createSealedLogins } from "../../../../src/oidc/provider/records.ts";
import { createIssuerKeys } from "../../../../src/registry/index.ts";
import type { OidcRecord } from "../../../../src/store/contract/room-store.ts";
import { createMemoryStore } from "../../../../src/store/memory/index.ts";
import { createSeededRandom } from "../../../support/seeded-random.ts";

function world() {
  const store = createMemoryStore({ clock: { now: () => 1_000_000 }, random: createSeededRandom("records") });
  const written: string[] = [];
  const keys = createIssuerKeys({ signing: [], tickets: [], draw: [], cookies: [] });
  const logins = createSealedLogins({ issuer: "https://queue.example.com", keys });
  const factory = createAdapterFactory((model) => {
    const records = store.oidcAdapter(model);
    const upsert = (id: string, payload: OidcRecord, seconds: number) => {
      written.push(`${id} ${JSON.stringify(payload)}`);
      return records.upsert(id, payload, seconds);
    };
    return { ...records, upsert };
  }, logins);
  return { tokens: factory("AccessToken"), codes: factory("AuthorizationCode"), written };
}
const token = "token-0123456789-0123456789-0123456789-012";

test("a token is found by itself, and the store has nothing by which it could be used", async () => {
  const { tokens, written } = world();
  await tokens.upsert(token, { jti: token, kind: "AccessToken", accountId: "room.visitor", grantId: "grant" }, 60);
  expect(await tokens.find(token)).toMatchObject({ jti: token, kind: "AccessToken", accountId: "room.visitor" });
  expect(written).toHaveLength(1);
  expect(written.join()).not.toContain(token);
  const [name = ""] = written.join().split(" ");
  expect(await tokens.find(name)).toBeUndefined();
  await tokens.destroy(token);
  expect(await tokens.find(token)).toBeUndefined();
});

test("a code works once", async () => {
  const { codes } = world();
  await codes.upsert("code", { jti: "code", kind: "AuthorizationCode", grantId: "grant" }, 60);
  await codes.consume("code");
  await expect(codes.consume("code")).rejects.toThrow(errors.InvalidGrant);
});
