import { z } from "zod";
import { flag, formatTime, oneOf, SIGNING_ALGS, text, unknownWord } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import { type IssuerRegistry, type KeyReport, type KeyStep, keyPurposes } from "../../registry/index.ts";
import { readJson } from "../middleware/read-body.ts";
import type { AddAdminRoute, AdminHandler } from "./admin-router.ts";
import { badRequest, object, validate } from "./bodies.ts";
import { readPage } from "./page.ts";

const issuerLengthMax = 2_048;
const steps: readonly KeyStep[] = ["stage", "promote", "retire"];

const issuerText = text("an issuer", issuerLengthMax).optional();
const makeBody = object({
  purpose: oneOf("purpose", keyPurposes),
  alg: oneOf("algorithm", SIGNING_ALGS).optional(),
  issuer: issuerText,
});
const stageBody = object({});
const forceBody = object({ force: flag().default(false) });
const listQuery = z.object({ purpose: oneOf("purpose", keyPurposes).optional(), issuer: issuerText });

/** The keys of the issuers, while the program runs: for admin keys that have all rights. Of a key only its id is ever shown. */
export function addKeyRoutes(route: AddAdminRoute, issuers: readonly IssuerRegistry[]): void {
  /** Keys belong to the whole process: an admin key for some rooms may not change them. */
  const keyRoute = (method: "GET" | "POST", path: string, handler: AdminHandler) =>
    route(method, path, (ctx, key) => {
      key.requireAllRights("keys");
      return handler(ctx, key);
    });

  keyRoute("GET", "/keys?purpose&issuer&limit&cursor", async (ctx) => {
    const { limit, cursor } = readPage(ctx);
    const { purpose, issuer } = validate(listQuery, ctx.query);
    const wanted = issuer === undefined ? issuers : [issuerOf(issuer)];
    const all = (await Promise.all(wanted.map(keysOf))).flat();
    const matching = all.filter(({ key }) => purpose === undefined || key.purpose === purpose);
    const next = cursor + limit < matching.length ? String(cursor + limit) : null;
    ctx.body = { keys: matching.slice(cursor, cursor + limit).map(keyJson), next_cursor: next };
  });

  keyRoute("POST", "/keys", async (ctx, key) => {
    const { purpose, alg, issuer } = validate(makeBody, await readJson(ctx));
    if (alg !== undefined && purpose !== "signing") {
      throw badRequest([{ path: ["alg"], message: "only keys for signing have an algorithm: leave it out" }]);
    }
    const of = issuerOf(issuer);
    const report = await of.keys.generate(purpose, purpose === "signing" ? (alg ?? "RS256") : null, key.id);
    ctx.status = 201;
    ctx.body = keyJson({ issuer: of.issuer, ...report });
  });

  keyRoute("POST", "/keys/:kid/:step", async (ctx, key) => {
    const { kid = "", step: word = "" } = ctx.params;
    const step = steps.find((candidate) => candidate === word);
    if (step === undefined) throw new UsherError("not_found", unknownWord("step", word, steps), { status: 404 });
    const body = await readJson(ctx);
    const { force } = step === "stage" ? { ...validate(stageBody, body), force: false } : validate(forceBody, body);
    const of = await ownerOf(kid);
    const report = await of.keys.step(step, kid, key.id, force);
    ctx.body = keyJson({ issuer: of.issuer, ...report });
  });

  /** @throws UsherError `bad_request` when none is named, and there are several */
  function issuerOf(name: string | undefined): IssuerRegistry {
    const found =
      name === undefined && issuers.length === 1 ? issuers[0] : issuers.find(({ issuer }) => issuer === name);
    if (found !== undefined) return found;
    const known = issuers.map(({ issuer }) => issuer).join(", ");
    const message = name === undefined ? `required: one of ${known}` : `there is no such issuer; there are: ${known}`;
    throw badRequest([{ path: ["issuer"], message }]);
  }

  /** @throws UsherError `not_found` */
  async function ownerOf(kid: string): Promise<IssuerRegistry> {
    for (const each of issuers) if ((await keysOf(each)).some(({ key }) => key.kid === kid)) return each;
    throw new UsherError("not_found", "there is no key of this id: GET /admin/keys lists them", { status: 404 });
  }
}

interface OwnedKey extends KeyReport {
  readonly issuer: string;
}

/** As they are now; where the store is away, as they were last. */
async function keysOf({ issuer, registry, keys }: IssuerRegistry): Promise<OwnedKey[]> {
  await registry.refresh().catch(() => undefined);
  return keys.list().map((report) => ({ issuer, ...report }));
}

function keyJson({ issuer, key, mayPromoteAtMs, mayRetireAtMs, isHeld }: OwnedKey) {
  const { kid, purpose, alg, state, source, since } = key;
  const times = Object.values(since);
  return {
    kid,
    issuer,
    purpose,
    alg,
    state,
    source,
    created_at: timeOrNull(times.length === 0 ? null : Math.min(...times)),
    staged_at: timeOrNull(since.staged),
    promoted_at: timeOrNull(since.active),
    superseded_at: timeOrNull(since.retiring),
    retired_at: timeOrNull(since.retired),
    may_promote_at: timeOrNull(mayPromoteAtMs),
    may_retire_at: timeOrNull(mayRetireAtMs),
    held: isHeld,
  };
}

function timeOrNull(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : formatTime(ms);
}
