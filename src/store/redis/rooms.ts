import { stableText } from "../../lib/stable-text.ts";
import type { Contribution, RoomStore } from "../room-store.ts";
import type { Keys } from "./keys.ts";
import { readAdmission, readState } from "./replies.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

const maxJoin = 10_000;

/** The rooms in Redis: each operation is one script. */
export function createRedisRooms(runner: Runner, keys: Keys): RoomStore {
  return {
    contribute: (contribution) => contribute(runner, keys, contribution),
    async tick(room, life, since) {
      const outcome = await runner.run(scripts.tick, keys.room(room), { life: life ?? "", since });
      if (outcome.result !== "ok") return outcome;
      const { changes } = outcome.value;
      const state = readState(room, outcome.value.state);
      const admissions = changes.admissions.map((json) => readAdmission(json, state.nowMs));
      return { result: "ok", value: { state, admissions, cursor: changes.cursor, more: changes.more } };
    },
    async join(room, life, count) {
      if (!Number.isInteger(count) || count < 1 || count > maxJoin) {
        throw new RangeError(`cannot join ${count} at once`);
      }
      return runner.run(scripts.join, keys.room(room), { life: life ?? "", count });
    },
    claim: (room, life, claim) =>
      runner.run(scripts.claim, keys.room(room), {
        life: life ?? "",
        sub: claim.sub,
        edition: claim.edition,
        position: claim.position,
        joined_ms: claim.joinedMs,
        login: claim.login ?? "",
        has_login: claim.login === null ? "0" : "1",
        proof_admitted_ms: claim.proof?.admittedMs ?? "",
        proof_expires_ms: claim.proof?.expiresMs ?? "",
      }),
    leave: (room, life, leave) =>
      runner.run(scripts.leave, keys.room(room), {
        life: life ?? "",
        edition: leave.edition,
        position: leave.position,
      }),
    admission: (room, sub) => runner.run(scripts.admission, keys.room(room), { sub }),
    endAdmission: (room, life, sub, end) =>
      runner.run(scripts.endAdmission, keys.room(room), { life: life ?? "", sub, end }),
    async listAdmissions(room, cursor, limit) {
      const { nowMs, changes } = await runner.run(scripts.listAdmissions, keys.room(room), { cursor, limit });
      const admissions = changes.admissions.map((json) => readAdmission(json, nowMs));
      return { admissions, cursor: changes.more ? changes.cursor : null };
    },
    adminStep: (room, life, step, requestId) =>
      runner.run(
        scripts.adminStep,
        { ...keys.room(room), request: keys.request(room, requestId ?? "") },
        {
          life: life ?? "",
          step: step.step,
          by: step.step === "increment" ? step.by : 0,
          text: stableText(step),
          has_request: requestId === null ? "0" : "1",
        },
      ),
    changeSettings: (room, life, live, effective, expectedVersion) =>
      runner.run(scripts.changeSettings, keys.room(room), {
        life: life ?? "",
        live: stableText(live),
        effective: stableText(effective),
        expected_version: expectedVersion,
      }),
  };
}

async function contribute(runner: Runner, keys: Keys, contribution: Contribution) {
  const { room, fileSettings, memory, isNewRoom } = contribution;
  const { settings, admissions, ...counters } = memory ?? { settings: null, admissions: [] };
  const { life, remainingMs } = await runner.run(scripts.contribute, keys.room(room), {
    file: stableText(fileSettings),
    is_new: isNewRoom ? "1" : "0",
    memory: memory === null ? "" : JSON.stringify(counters),
    memory_effective: stableText(settings?.effective ?? null),
    memory_file: stableText(settings?.file ?? null),
    memory_live: stableText(settings?.live ?? null),
    admissions: JSON.stringify(admissions),
  });
  return { life, recovering: remainingMs > 0, remainingMs };
}
