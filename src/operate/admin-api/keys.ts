import { z } from "zod";
import { flag, oneOf, SIGNING_ALGS, unknownWord } from "../../config/index.ts";
import { UsherError } from "../../lib/errors.ts";
import {
  type IssuerRegistry,
  type KeyReport,
  type KeyStep,
  keyPurposes,
  keyStates,
  refreshAll,
} from "../../registry/index.ts";
import { type AdminRoute, routesAbout } from "./admin-router.ts";
import {
  badRequest,
  issuerName,
  issuerNamed,
  nextCursor,
  object,
  onlyErrors,
  pageOf,
  pageQuery,
  timeOrNone,
  timeOrNull,
} from "./bodies.ts";

const newKey = object({
  purpose: oneOf("purpose", keyPurposes),
  alg: oneOf("algorithm", SIGNING_ALGS).optional(),
  issuer: issuerName,
});
const forced = object({ force: flag().default(false) });
const listQuery = object({ purpose: newKey.shape.purpose.optional(), issuer: issuerName, ...pageQuery });
/** What each step takes: nobody waits for a key that is only made known. */
const steps: Record<KeyStep, { readonly body: z.ZodType<{ force?: boolean }>; readonly summary: string }> = {
  stage: { body: object({}), summary: "Publishes a new key, and verifies with it." },
  promote: { body: forced, summary: "Signs with a staged key from now on." },
  retire: { body: forced, summary: "Ends a key that signs no more." },
};

const keyAnswer = z
  .object({
    kid: z.string(),
    issuer: z.string(),
    purpose: z.enum(keyPurposes),
    alg: z.string().nullable(),
    state: z.enum(keyStates),
    source: z.enum(["configuration", "admin_api", "automatic"]),
    created_at: timeOrNone,
    staged_at: timeOrNone,
    promoted_at: timeOrNone,
    superseded_at: timeOrNone,
    retired_at: timeOrNone,
    may_promote_at: timeOrNone,
    may_retire_at: timeOrNone,
    /** Whether this process has it. */
    held: z.boolean(),
  })
  .meta({ id: "Key" });
const tag = "Keys";

/** The keys of the issuers, while the program runs. Of a key only its id is ever shown. They belong to no room. */
export function keyRoutes(issuers: readonly IssuerRegistry[]): AdminRoute[] {
  const route = routesAbout("/keys", () => refreshAll(issuers));
  const role = "admin";

  return [
    route(
      "GET",
      "",
      {
        summary: "Lists the keys of the issuers, without what is secret.",
        tag,
        role,
        query: listQuery,
        answers: z.object({ keys: z.array(keyAnswer), next_cursor: nextCursor }),
      },
      ({ query: { purpose, issuer, ...page } }) => {
        const wanted = issuer === undefined ? issuers : [issuerNamed(issuers, issuer)];
        const all = wanted.flatMap((issuer) => issuer.keys.list().map((report) => keyJson(issuer, report)));
        const { page: keys, next_cursor } = pageOf(
          all.filter((key) => purpose === undefined || key.purpose === purpose),
          page,
        );
        return { keys, next_cursor };
      },
    ),

    route(
      "POST",
      "",
      {
        summary: "Makes a key, which signs nothing yet.",
        tag,
        role,
        body: newKey,
        status: 201,
        answers: keyAnswer,
        errors: ["conflict"],
      },
      async ({ principal, notes, body: { purpose, alg, issuer } }) => {
        const isSigning = purpose === "signing";
        if (alg !== undefined && !isSigning) {
          throw badRequest([{ path: ["alg"], message: "only keys for signing have an algorithm: leave it out" }]);
        }
        const owner = issuerNamed(issuers, issuer);
        const generated = await owner.keys.generate(purpose, isSigning ? (alg ?? "RS256") : null, principal.id);
        notes.subject = { kid: generated.key.kid, purpose };
        return keyJson(owner, generated);
      },
    ),

    ...Object.entries(steps).map(([step, terms]) =>
      route(
        "POST",
        `/:kid/${step}`,
        { ...terms, tag, role, answers: keyAnswer, errors: ["conflict"] },
        async ({ ctx, principal, notes, body }) => {
          const kid = String(ctx.params.kid);
          const stateIn = ({ keys }: IssuerRegistry) => keys.list().find(({ key }) => key.kid === kid)?.key.state;
          const owner = issuers.find((candidate) => stateIn(candidate) !== undefined);
          if (owner === undefined) {
            throw new UsherError("not_found", "there is no key of this id: GET /admin/keys lists them");
          }
          const before = stateIn(owner);
          const report = await owner.keys.step(step as KeyStep, kid, principal.id, body.force ?? false);
          notes.changed({ state: before }, { state: report.key.state }, null);
          return keyJson(owner, report);
        },
      ),
    ),

    route(
      "POST",
      "/:kid/:step",
      { summary: "Says which steps there are.", tag, role, answers: onlyErrors },
      ({ ctx }) => {
        throw new UsherError("not_found", unknownWord("step", ctx.params.step, Object.keys(steps)));
      },
    ),
  ];
}

function keyJson({ issuer }: IssuerRegistry, { key, mayPromoteAtMs, mayRetireAtMs, isAvailable }: KeyReport) {
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
    held: isAvailable,
  };
}
