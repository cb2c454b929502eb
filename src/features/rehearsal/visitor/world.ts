import { CookieJar } from "../../../lib/cookie-jar.ts";
import type { TokenRequest } from "../../../lib/openid/token-request.ts";
import type { Chance } from "../../../room/public-status/pacing.ts";
import type { VisitorPlan } from "../crowd-plan.ts";
import type { RequestKind, Tally } from "../report/tally.ts";
import type { Stage, Way } from "./ways.ts";
import type { Web, WebAnswer, WebRequest } from "./web.ts";

/** What all visitors of a rehearsal share. */
export interface World {
  readonly stage: Stage;
  readonly way: Way;
  readonly web: Web;
  readonly tally: Tally;
  readonly chance: Chance;
  /** By which codes are redeemed; null: they are not. */
  readonly tokenRequest: TokenRequest | null;
  /** After which a visitor who is in logs out; null: at the end. */
  readonly stayMs: number | null;
  /** Whether visitors get places in line, by the phase that was seen last. */
  readonly hasLine: () => boolean;
  /** Milliseconds since the beginning. */
  readonly nowMs: () => number;
  /** Ends early when the rehearsal is over. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly isOver: () => boolean;
}

/** One person with one browser. */
export interface Visitor {
  readonly plan: VisitorPlan;
  readonly jar: CookieJar;
  /** As the first page said it, and since the draw. */
  place: { readonly edition: number; readonly position: number; readonly isUndrawn: boolean } | null;
  hasJoined: boolean;
  isAdmitted: boolean;
  /** Does nothing any more. */
  hasGivenUp: boolean;
  /** Has given up place and admission. */
  hasLeft: boolean;
}

export function newVisitor(plan: VisitorPlan): Visitor {
  const nothingYet = { place: null, hasJoined: false, isAdmitted: false, hasGivenUp: false, hasLeft: false };
  return { plan, jar: new CookieJar(), ...nothingYet };
}

/** Asks with the visitor's cookies; those of the waiting room's host go with the pass of the rehearsal, which no other host sees. */
export async function askAs(
  { jar }: Visitor,
  { web, stage }: World,
  url: URL,
  { headers, ...request }: WebRequest,
): Promise<WebAnswer | string> {
  const cookie = jar.header(url.hostname);
  const pass = url.origin === stage.issuer ? { "usher-rehearsal": stage.pass } : {};
  const answer = await web.ask(url, { ...request, headers: { ...(cookie !== "" && { cookie }), ...pass, ...headers } });
  if (typeof answer !== "string") jar.keep(url.hostname, answer.headers["set-cookie"] ?? []);
  return answer;
}

/** Asks an address of the room for JSON, as the page's script does. Null: that failed, and was recorded in the tally. */
export async function askJson<Json>(
  visitor: Visitor,
  world: World,
  kind: RequestKind,
  path: string,
  request: WebRequest,
): Promise<{ readonly json: Json | null; readonly answer: WebAnswer } | null> {
  const { stage, tally } = world;
  const url = new URL(`${stage.issuer}/rooms/${stage.room}${path}`);
  const answer = await askAs(visitor, world, url, request);
  if (typeof answer === "string") {
    tally.fail(kind, answer);
    return null;
  }
  tally.took(kind, answer.tookMs);
  if (answer.status >= 200 && answer.status < 300) return { json: readJson<Json>(answer.text), answer };
  tally.fail(kind, String(answer.status));
  return { json: null, answer };
}

function readJson<Json>(text: string): Json | null {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

export function noteJoin(visitor: Visitor, { tally, nowMs }: World): void {
  if (visitor.hasJoined) return;
  visitor.hasJoined = true;
  tally.joinedMs.push(nowMs());
}

export function noteAdmission(visitor: Visitor, { tally, nowMs }: World): void {
  if (visitor.isAdmitted) return;
  visitor.isAdmitted = true;
  tally.admittedMs.push(nowMs());
}
