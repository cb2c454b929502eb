/** What every store must do as oidc-provider's adapter. Each store runs all of it from one tiny file. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AlreadyConsumedError } from "../../src/lib/errors.ts";
import type { OidcAdapter } from "../../src/store/contract/room-store.ts";
import type { Store } from "../../src/store/contract/store.ts";
import type { HarnessFactory, StoreHarness } from "./harness.ts";

const minuteSec = 60;

export function describeOidcAdapter(name: string, createHarness: HarnessFactory): void {
  describe(`${name} as oidc-provider's adapter`, () => {
    let harness: StoreHarness | undefined;
    let store: Store;
    let other: Store;

    const advance = async (ms: number) => harness?.advance(ms);
    const codes = (of: Store = store): OidcAdapter => of.oidcAdapter("AuthorizationCode");

    beforeAll(async () => {
      harness = await createHarness();
      store = harness.store;
      other = await harness.second();
    });
    beforeEach(() => harness?.wipe());
    afterAll(() => harness?.close());

    it("keeps a record as it was until it expires, and each model's apart", async () => {
      const payload = { jti: "a", list: [], nested: { deep: [1, { x: null }] }, scope: "openid", exp: 1.5 };
      await codes().upsert("a", payload, minuteSec);
      expect(await codes(other).find("a")).toEqual(payload);
      expect(await store.oidcAdapter("AccessToken").find("a")).toBeUndefined();
      expect(await codes().find("b")).toBeUndefined();
      await advance(59_999);
      expect(await codes().find("a")).toEqual(payload);
      await advance(1);
      expect(await codes().find("a")).toBeUndefined();
    });

    it("replaces a record and its lifetime", async () => {
      await codes().upsert("a", { x: 1 }, minuteSec);
      await advance(50_000);
      await codes().upsert("a", { y: 2 }, minuteSec);
      await advance(50_000);
      expect(await codes().find("a")).toEqual({ y: 2 });
      await codes().destroy("a");
      await codes().destroy("a");
      expect(await codes().find("a")).toBeUndefined();
    });

    it("does not hand out the object it keeps", async () => {
      const payload = { list: ["x"] };
      await codes().upsert("a", payload, minuteSec);
      payload.list.push("y");
      const found = await codes().find("a");
      expect(found).toEqual({ list: ["x"] });
      Object.assign(found ?? {}, { list: [] });
      expect(await codes().find("a")).toEqual({ list: ["x"] });
    });

    it("lets one of twenty consume a code at the same instant (rule 8)", async () => {
      await codes().upsert("a", { grantId: "g" }, minuteSec);
      const calls = Array.from({ length: 20 }, (_, i) => codes(i % 2 ? store : other).consume("a"));
      const results = await Promise.allSettled(calls);
      expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(AlreadyConsumedError);
      }
    });

    it("still finds a consumed record, and says so: oidc-provider revokes the grant by that", async () => {
      await codes().upsert("a", { grantId: "g" }, minuteSec);
      await codes().consume("a");
      const nowSec = Math.floor((harness?.nowMs() ?? 0) / 1_000);
      expect(await codes().find("a")).toEqual({ grantId: "g", consumed: nowSec });
      // Written again, it stays consumed.
      await codes().upsert("a", { grantId: "g" }, minuteSec);
      await expect(codes().consume("a")).rejects.toBeInstanceOf(AlreadyConsumedError);
    });

    it("says by whom a record was consumed: by the first, for good", async () => {
      await codes().upsert("a", {}, minuteSec);
      await codes().consume("a", "one");
      await expect(codes(other).consume("a", "two")).rejects.toBeInstanceOf(AlreadyConsumedError);
      expect(await codes(other).find("a")).toMatchObject({ consumed_by: "one" });
      await codes().upsert("a", {}, minuteSec);
      expect(await codes().find("a")).toMatchObject({ consumed_by: "one" });
    });

    it("does not consume what is gone", async () => {
      await expect(codes().consume("none")).rejects.toBeInstanceOf(AlreadyConsumedError);
      await codes().upsert("a", {}, minuteSec);
      await advance(minuteSec * 1_000);
      await expect(codes().consume("a")).rejects.toBeInstanceOf(AlreadyConsumedError);
      // A new record under an old id is a new record.
      await codes().upsert("b", {}, minuteSec);
      await codes().consume("b");
      await advance(minuteSec * 1_000);
      await codes().upsert("b", {}, minuteSec);
      await codes().consume("b");
    });

    it("forgets codes and one-time links with the server's run: a rollback may have forgotten that they were used (rule 8)", async () => {
      const links = store.oidcAdapter("OneTimeLink");
      await links.upsert("l", {}, minuteSec);
      const sessions = store.oidcAdapter("Session");
      await codes().upsert("a", {}, minuteSec);
      await sessions.upsert("s", { uid: "v" }, minuteSec);
      await harness?.save();
      await codes().consume("a");
      await harness?.restore();
      expect(await codes().find("a")).toBeUndefined();
      await expect(codes(other).consume("a")).rejects.toBeInstanceOf(AlreadyConsumedError);
      expect(await links.find("l")).toBeUndefined();
      expect(await sessions.find("s")).toEqual({ uid: "v" });
      await codes().upsert("b", {}, minuteSec);
      expect(await codes(other).find("b")).toEqual({});
      await codes().consume("b");
    });

    it("has a grant no more from the moment on that one process destroys it", async () => {
      const grants = store.oidcAdapter("Grant");
      await grants.upsert("g", { accountId: "sub" }, minuteSec);
      expect(await other.oidcAdapter("Grant").find("g")).toEqual({ accountId: "sub" });
      await other.oidcAdapter("Grant").destroy("g");
      expect(await grants.find("g")).toBeUndefined();
      await grants.destroy("none");
    });

    it("keeps the key fingerprints that the first process laid down, until they are replaced", async () => {
      expect(await store.agreeOnKeys({ signing: "k1", ticket: "t1" }, false)).toEqual({ signing: "k1", ticket: "t1" });
      expect(await other.agreeOnKeys({ signing: "k2", ticket: "t1" }, false)).toEqual({ signing: "k1", ticket: "t1" });
      expect(await other.agreeOnKeys({ signing: "k2" }, true)).toEqual({ signing: "k2" });
      expect(await store.agreeOnKeys({ signing: "k1" }, false)).toEqual({ signing: "k2" });
    });
  });
}
