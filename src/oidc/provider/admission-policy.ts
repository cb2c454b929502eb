import { errors, interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";
import type { Admission, WaitingRoom } from "../../room/index.ts";
import type { LoginRefusal, LoginVerdict, OidcParts } from "../parts.ts";
import { accountOf, sessionIdOf } from "./accounts.ts";
import { keepGrant } from "./away-logins.ts";
import { orTemporarilyUnavailable, type RecordStores } from "./records.ts";

const { base, Check, Prompt } = interactionPolicy;

type PolicyParts = Pick<OidcParts, "rooms" | "verdicts"> & {
  readonly records: Pick<RecordStores, "ofRoom" | "idIn">;
};

/**
 * The authority over who gets a code. Its first prompt verifies with the store that the visitor is admitted
 * and that this very request was recorded with the admission, then logs them in within the same request.
 * Without that it throws: a stored interaction is never made, whatever the gate did.
 */
export function createAdmissionPolicy(parts: PolicyParts): interactionPolicy.DefaultPolicy {
  const policy = base();
  // There is nothing to consent to. The prompt stays, or `prompt=consent` would be an invalid request.
  policy.get("consent")?.checks.clear();
  // Nor is there an account to choose: as with `prompt=login`, the admission is the answer.
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  for (const prompt of policy) {
    for (const check of prompt.checks) throwInsteadOfPrompting(prompt.name, check);
  }
  policy.add(
    new Prompt(
      { name: "admission", requestable: false },
      new Check("not_admitted", "the visitor is not admitted", "interaction_required", (ctx) =>
        logInAdmitted(ctx, parts),
      ),
    ),
    0,
  );
  return policy;
}

/**
 * What the library's own checks would ask the visitor for, nobody can give: there is no login form. So the
 * relying party gets the error that it would get for `prompt=none` (OpenID Connect Core 3.1.2.6).
 */
function throwInsteadOfPrompting(prompt: string, check: interactionPolicy.Check): void {
  const inner = check.check;
  const error = check.error ?? (prompt === "login" ? "login_required" : "interaction_required");
  check.check = async (ctx) => {
    if (await inner(ctx)) {
      throw new errors.CustomOIDCProviderError(error, check.description);
    }
    return Check.NO_NEED_TO_PROMPT;
  };
}

async function logInAdmitted(ctx: KoaContextWithOIDC, { rooms, verdicts, records }: PolicyParts): Promise<boolean> {
  const { oidc } = ctx;
  if (!oidc.requestParamOIDCScopes.has("openid")) {
    throw new errors.InvalidScope("the scope openid is required", "openid");
  }
  const verdict = verdicts.get(ctx.req);
  if (typeof verdict === "string") throw refusals[verdict]();
  const room = verdict && rooms.get(verdict.room);
  if (verdict === undefined || room === undefined || oidc.client === undefined) {
    throw new errors.InteractionRequired("the visitor has to open a page");
  }
  const admission = verdict.away ?? (await admissionOf(room, verdict));
  if (admission === null) throw new errors.InteractionRequired("the visitor is not admitted");

  const { session } = oidc;
  if (session === undefined) throw new errors.InteractionRequired();
  if (session.accountId !== undefined && session.accountId !== verdict.sub) {
    // A session of another visitor (another room, or this one after a new start) is replaced, not reused.
    session.authorizations = {};
    session.resetIdentifier();
  }
  // One that has just begun, or is another one now, is kept where the room is.
  const sessionId = records.idIn(records.ofRoom(room.id), session.jti);
  if (session.jti !== sessionId) session.jti = sessionId;
  const admittedSec = Math.floor(admission.admittedMs / 1_000);
  const isOlderThanAdmission = (session.loginTs ?? 0) < admittedSec;
  // Silently nobody is logged in anew: it was when they were admitted. Where that is too long ago, the prompt `login` says so.
  const isSilent = oidc.prompts.has("none");
  if (session.accountId !== verdict.sub || isOlderThanAdmission || (!isSilent && isFreshLoginWanted(ctx))) {
    session.loginAccount({ accountId: verdict.sub, ...(isSilent && { loginTs: admittedSec }) });
    // By the store's clock, which may be ahead of this process's: it separates tokens of an earlier admission.
    session.loginTs = Math.max(session.loginTs ?? 0, admittedSec);
  }
  // The prompts that the relying party asked for are done with; left in place they would be asked again.
  if (oidc.params !== undefined) oidc.params.prompt = undefined;
  oidc.entity("Account", accountOf(room, admission));

  const { clientId } = oidc.client;
  const grant = new oidc.provider.Grant({ accountId: verdict.sub, clientId });
  grant.addOIDCScope([...oidc.requestParamOIDCScopes].join(" "));
  Object.assign(grant, verdict.grant);
  const grantId = verdict.away === undefined ? await grant.save() : await keepGrant(grant);
  session.ensureClientContainer(clientId);
  session.sidFor(clientId, sessionIdOf(clientId, admission));
  session.grantIdFor(clientId, grantId);
  oidc.entity("Grant", grant);
  return Check.NO_NEED_TO_PROMPT;
}

/** The store's word on what the gate says. Null: it knows of no such login. */
async function admissionOf(room: WaitingRoom, { sub, login }: LoginVerdict): Promise<Admission | null> {
  const admission = await orTemporarilyUnavailable(room.admissions.find(sub));
  const isAdmitted = admission !== null && admission.ended === null && admission.logins.includes(login);
  return isAdmitted ? admission : null;
}

const refusals: Readonly<Record<LoginRefusal, () => Error>> = {
  in_line: () => new errors.InteractionRequired("the visitor is still in line"),
  not_logged_in: () => new errors.LoginRequired("the visitor is not logged in"),
  other_visitor: () => new errors.LoginRequired("id_token_hint names another visitor"),
};

/** Whether the relying party wants `auth_time` to advance: `prompt=login`, or a `max_age` that has passed. */
function isFreshLoginWanted({ oidc }: KoaContextWithOIDC): boolean {
  const maxAge = oidc.params?.max_age;
  return oidc.prompts.has("login") || (maxAge !== undefined && oidc.session?.past(Number(maxAge)) === true);
}
