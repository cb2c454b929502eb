/** What `npm run bench:all` has measured, on one machine: written by it, and by nobody else. */
import type { PollGuidance } from "../../room/public-status/status.ts";

export interface BenchFigures {
  /** When and on what it was measured. */
  readonly date: string;
  readonly machine: string;
  /** CPU time of a gateway for one, in microseconds: pages compressed; a file is one beside a linked page; a login is authorize, token and userinfo. */
  readonly cpuUs: Readonly<Record<"join" | "reload" | "pace" | "file" | "login", number>>;
  /** Of the store: CPU time for a call with joins, in microseconds, and the memory that an admission takes with its tokens, in bytes. */
  readonly store: Readonly<Record<"joinCallCpuUs" | "admissionBytes", number>>;
  /** CPU time of the store for a login, in microseconds, by how many there are in a second: at least one, the fewest first. */
  readonly storeLogins: readonly { readonly perSecond: number; readonly cpuUs: number }[];
  /**
   * Of one answer with its headers by HTTP/2, TLS included; `files`: all that a browser loads beside a linked page, once; `pace`: in a room of a
   * million; `reopening`: of a connection that takes a TLS session up again; `login`: all answers of one, by HTTP/1.1 without TLS.
   */
  readonly bytes: Readonly<Record<"inline" | "linked" | "files" | "status" | "pace" | "reopening" | "login", number>>;
  /** How often pages ask. */
  readonly poll: PollGuidance;
}

export const benchFigures: BenchFigures = {
  date: "2026-11-30",
  machine: "Node.js v20.20.2, 2 cores",
  cpuUs: { join: 99, reload: 139, pace: 20, file: 77, login: 3550 },
  store: { joinCallCpuUs: 60, admissionBytes: 3385 },
  storeLogins: [
    { perSecond: 33, cpuUs: 1623 },
    { perSecond: 230, cpuUs: 603 },
    { perSecond: 1310, cpuUs: 313 },
    { perSecond: 3440, cpuUs: 236 },
  ],
  bytes: { inline: 13300, linked: 3995, files: 9717, status: 732, pace: 177, reopening: 141, login: 3225 },
  poll: {
    floor_ms: 2000,
    near_ceiling_ms: 11500,
    ceiling_ms: 40000,
    far_ceiling_ms: 120000,
    divisor: 10,
    spread_ms: 10000,
  },
};
