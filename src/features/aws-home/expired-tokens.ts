import type { Admission, WaitingRoom } from "../../room/index.ts";
import type { SharedDocument, SharedDocuments } from "../../store/contract/shared.ts";
import { readLogin } from "./home.ts";
import { expiryOf } from "./tokens.ts";

/** Request ids by the second at which their tokens expire. */
type Expiries = ReadonlyMap<string, number>;

const keptForSec = 86_400;
/** Of a room, the latest. About 35 bytes each. */
const keptMax = 10_000;
/** Tokens that expire so soon are recorded: an admission that has lapsed may be forgotten before the next look. */
const aheadSec = 120;
const lookEveryMs = 30_000;

export type ExpiredTokens = ReturnType<typeof createExpiredTokens>;

/**
 * The request ids whose tokens have expired, for a day. An admission is forgotten sooner, so each room has a document with its ids in the store, which
 * outlives a loss like all documents: any process adds what it sees. What was not added yet is in the admissions.
 */
export function createExpiredTokens(documents: SharedDocuments) {
  const cached = new Map<string, SharedDocument>();

  return {
    /** The ids, those that expired last first. @throws StoreUnavailableError */
    async list(room: WaitingRoom): Promise<string[]> {
      const nowSec = Math.floor(room.nowMs / 1_000);
      const recorded = await exchange(room);
      return latest(new Map([...recorded, ...seen(room, nowSec)]), nowSec)
        .filter(([, expSec]) => expSec < nowSec)
        .map(([id]) => id);
    },

    /** Adds what this process sees to the document. Answers after how many milliseconds to do so again. @throws StoreUnavailableError */
    async look(room: WaitingRoom): Promise<number> {
      const nowSec = Math.floor(room.nowMs / 1_000);
      const found = seen(room, nowSec);
      if (found.size === 0) return lookEveryMs;
      const recorded = await exchange(room);
      const isNews = [...found].some(([id, expSec]) => recorded.get(id) !== expSec);
      if (!isNews) return lookEveryMs;
      const text = write(room, latest(new Map([...recorded, ...found]), nowSec));
      const version = cached.get(room.id)?.version ?? 0;
      // Where another process was faster, or a document settles, the next look adds it.
      const replaced = await documents.replace(nameOf(room), text, version);
      if (replaced.result === "ok") cached.set(room.id, { version: replaced.version, text });
      return lookEveryMs;
    },
  };

  async function exchange(room: WaitingRoom): Promise<Expiries> {
    const known = cached.get(room.id) ?? null;
    const answer = await documents.exchange(nameOf(room), known);
    if (answer !== "unchanged" && answer !== null) cached.set(room.id, answer);
    return read(room, cached.get(room.id)?.text);
  }
}

function nameOf({ name }: WaitingRoom): string {
  return `aws tokens of ${name}`;
}

/** Those of this edition that have expired, or will soon, among what this process knows. */
function seen(room: WaitingRoom, nowSec: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const admission of room.admissions.allCached) {
    const expiry = expiryOfTokens(room, admission);
    if (expiry !== null && expiry.expSec < nowSec + aheadSec) found.set(expiry.id, expiry.expSec);
  }
  return found;
}

function expiryOfTokens({ state }: WaitingRoom, admission: Admission): { id: string; expSec: number } | null {
  if (admission.edition !== state?.edition) return null;
  const login = readLogin(admission);
  return login && { id: login.requestId, expSec: expiryOf(admission, login.terms) };
}

function latest(expiries: Expiries, nowSec: number): [id: string, expSec: number][] {
  return [...expiries]
    .filter(([, expSec]) => expSec >= nowSec - keptForSec)
    .sort(([, a], [, b]) => b - a)
    .slice(0, keptMax);
}

/** `EDITION`, and a line for each: the id's 128 bits in base64url, and the second in base 36. */
function write({ state }: WaitingRoom, rows: readonly (readonly [string, number])[]): string {
  const lines = rows.map(([id, expSec]) => {
    const bits = Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
    return `${bits} ${expSec.toString(36)}`;
  });
  return [state?.edition, ...lines].join("\n");
}

/** Nothing of another edition: a reset takes it all away. */
function read({ state }: WaitingRoom, text = ""): Map<string, number> {
  const [edition, ...lines] = text.split("\n");
  if (edition !== String(state?.edition)) return new Map();
  return new Map(
    lines.map((line) => {
      const [bits = "", expSec = ""] = line.split(" ");
      const hex = Buffer.from(bits, "base64url").toString("hex");
      const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
      return [id, Number.parseInt(expSec, 36)];
    }),
  );
}
