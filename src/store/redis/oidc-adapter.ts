import { AlreadyConsumedError } from "../../lib/errors.ts";
import type { OidcAdapter, OidcRecord } from "../contract/room-store.ts";
import { boundToRun, oneTimeLinkModel } from "../contract/shared.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { type OfOtherRun, scripts } from "./scripts.ts";
import { readNode, type SlotMoves } from "./slot-moves.ts";
import type { UsedRecords } from "./used-records.ts";

/** What must not come back when the server's data is put back: what works once, and what was revoked. */
const worksOnce: ReadonlySet<string> = new Set(["Grant", "AccessToken", "RefreshToken", ...boundToRun]);
/** Models that are never consumed nor bound to a run, and that several processes do not change at once: a text each, `EXPIRES_MS:TEXT`, which needs no script. */
const plain: ReadonlySet<string> = new Set(["Session", "Grant", "AccessToken"]);
/** Models of which one is honoured only where the data is known to be no older copy. */
const checked: ReadonlySet<string> = new Set(["AuthorizationCode", "RefreshToken", oneTimeLinkModel]);

interface Parts {
  readonly runner: Runner;
  readonly keys: Keys;
  readonly used: UsedRecords;
  /** Of a Cluster; else null. */
  readonly moves: SlotMoves | null;
  /** The store's wall clock. */
  readonly nowMs: () => number;
}

/**
 * oidc-provider's records in Redis. Each command touches one key, so that a Cluster may keep them anywhere.
 */
export function createRedisOidcAdapter({ runner, keys, used, moves, nowMs }: Parts, model: string): OidcAdapter {
  const keyOf = (id: string) => `${model}:${id}`;

  const destroyKey = async (record: string) => {
    const leftMs = await runner.run(scripts.destroyRecord, { record: keys.oidcRecord(record) }, {});
    if (leftMs > 0 && worksOnce.has(record.slice(0, record.indexOf(":")))) used.add(record, "gone", leftMs);
  };

  /** Asks again for a record that an earlier run of the server has written, where nothing was lost since. Null: it is void. */
  async function ofAnyRun<T extends object>(
    record: string,
    ask: (run: string) => Promise<T | OfOtherRun>,
    run = "",
  ): Promise<T | null> {
    const answer = await ask(run);
    if (!("ofRun" in answer)) return answer as T;
    const here = readNode(answer.info);
    const isMoved = await moves?.isRecordMoved(record, answer.ofRun, here, answer.ageMs);
    const goesOn = isMoved || used.goesOn(answer.ofRun, here.runId);
    return goesOn && run === "" ? ofAnyRun(record, ask, answer.ofRun) : null;
  }

  async function find(id: string): Promise<OidcRecord | undefined> {
    const record = keys.oidcRecord(keyOf(id));
    if (plain.has(model)) {
      const stored = (await runner.command("find-record", (client) => client.get(record))) ?? "";
      const end = stored.indexOf(":");
      const isThere = Number(stored.slice(0, end)) > nowMs() && used.of(keyOf(id)) === null;
      return isThere ? (JSON.parse(stored.slice(end + 1)) as OidcRecord) : undefined;
    }
    const found = await ofAnyRun(record, (run) => runner.run(scripts.findRecord, { record }, { run }));
    const how = used.of(keyOf(id));
    if (found === null || found.payload === "" || how === "gone") return undefined;
    if (checked.has(model)) await used.checkAge();
    const payload = JSON.parse(found.payload) as OidcRecord;
    if (boundToRun.has(model) && used.isVoid(found)) return undefined;
    // Used up here, and put back since.
    if (found.consumed === "" && how === "consumed") return { ...payload, consumed: payload.iat ?? 1 };
    if (found.consumed === "") return payload;
    return { ...payload, consumed: Number(found.consumed), ...(found.by !== "" && { consumed_by: found.by }) };
  }

  return {
    find,
    async upsert(id, payload, expiresInSec) {
      const record = keyOf(id);
      used.forget(record);
      const ttl_ms = Math.max(1, Math.ceil(expiresInSec * 1_000));
      const text = JSON.stringify(payload);
      const key = keys.oidcRecord(record);
      if (plain.has(model)) {
        // It goes by its own time; Redis's merely collects it.
        const timed = `${Math.round(nowMs() + ttl_ms)}:${text}`;
        await runner.command("upsert-record", (client) => client.set(key, timed, "PX", ttl_ms));
      } else {
        const bound_to_run = boundToRun.has(model) ? "1" : "0";
        const args = { payload: text, ttl_ms, bound_to_run, lost_ms: used.lostMs };
        await runner.run(scripts.upsertRecord, { record: key }, args);
      }
    },
    async consume(id, by = "") {
      const record = keys.oidcRecord(keyOf(id));
      const answer = await ofAnyRun(record, (run) => runner.run(scripts.consumeRecord, { record }, { by, run }));
      const leftMs = answer?.leftMs ?? null;
      if (leftMs === null || used.of(keyOf(id)) !== null) throw new AlreadyConsumedError();
      used.add(keyOf(id), "consumed", leftMs);
    },
    async destroy(id) {
      await destroyKey(keyOf(id));
    },
  };
}
