import type { Context } from "koa";
import { z } from "zod";
import { ROLES, type SignInConfig } from "../../../config/index.ts";
import type { FailedAttempts } from "../../../lib/address-buckets.ts";
import { html, type Refusal, seeOtherAnswer } from "../../../lib/described-route.ts";
import { UsherError } from "../../../lib/errors.ts";
import { acceptsHtml } from "../../../lib/request.ts";
import type { AdminKeys, AdminSessions } from "../../../registry/index.ts";
import { requireSameOrigin } from "../../../web/middleware/cross-origin.ts";
import { readForm, readSameOriginForm } from "../../../web/middleware/read-body.ts";
import { createRouteTable, type RouteTable } from "../../../web/middleware/router.ts";
import type { AuditLog } from "../../audit/index.ts";
import {
  askForLink,
  type BrowserSessions,
  countAttempt,
  countFailure,
  findKey,
  findSession,
  requireConsolePage,
} from "../access/principal.ts";
import { audited } from "../audit/write-rows.ts";
import type { PlainPage } from "../plain-page.ts";
import { grantedBy, nameOf, personId } from "./claims.ts";
import { csrfTokenOf } from "./cookies.ts";
import type { SignInPage } from "./parts.ts";
import type { SignInProvider } from "./provider.ts";
import { readReturnTo, signInPath } from "./return-to.ts";
import { type SignInLink, signInLinkPath } from "./sign-in-link.ts";

export interface SignInRoutesOptions {
  readonly audit: Pick<AuditLog, "record">;
  readonly adminKeys: Pick<AdminKeys, "find">;
  readonly failures: FailedAttempts;
  readonly browsers: BrowserSessions & { readonly sessions: AdminSessions };
  /** Null where people have keys alone. */
  readonly signIn: { readonly rules: SignInConfig["rules"]; readonly provider: SignInProvider } | null;
  readonly link: Pick<SignInLink, "isGood" | "use">;
  readonly page: PlainPage<SignInPage>;
}

const text = z.string();
const browserAnswer = z
  .object({
    principal: z
      .object({
        kind: z.enum(["key", "person"]),
        id: text,
        name: text,
        role: z.enum(ROLES),
        rooms: z.array(text).nullable(),
      })
      .nullable(),
    /** As `GET /admin/sessions` names it. */
    session: text.nullable(),
    csrf_token: text.nullable(),
    sign_in: z.object({ key: z.boolean(), provider: z.boolean() }),
  })
  .meta({ id: "BrowserSession" });
const aPage = [{ status: 200, types: html, description: "A page." }];
const ofSignIn: readonly Refusal[] = ["not_found", "too_many_from_address"];
const ofAttempt: readonly Refusal[] = [...ofSignIn, "unauthorized", "store_unavailable"];
const atProvider: readonly Refusal[] = [...ofSignIn, "provider_unavailable"];

const keyLengthMax = 512;
const logoutTokenLengthMax = 16_384;

/** How operators' browsers sign in and out: with a key, or at the organisation's provider. Open to strangers, so everything is bounded. */
export function signInRoutes(options: SignInRoutesOptions): RouteTable {
  const { audit, adminKeys, failures, browsers, signIn, link, page } = options;
  const { sessions, cookies, address } = browsers;
  const table = createRouteTable();

  /** Who the browser is; null for nobody. */
  async function signedIn(ctx: Context) {
    const session = cookies.session(ctx);
    const grant = session === null ? null : await findSession(browsers, session, ctx, failures);
    return session === null || grant === null ? null : { session, grant, csrfToken: csrfTokenOf(session) };
  }

  function show(ctx: Context, status: number, fields: Partial<SignInPage> = {}): void {
    const { returnTo = signInPath, ...rest } = fields;
    const start = `${signInPath}/start?return_to=${encodeURIComponent(returnTo)}`;
    const startUrl = signIn === null ? null : start;
    page(ctx, status, {
      title: "Sign in",
      problem: null,
      signedIn: null,
      endSessionUrl: null,
      linkToken: null,
      startUrl,
      returnTo,
      ...rest,
    });
  }

  /**
   * Shows to people on the page what fails from here on.
   *
   * @returns set to where the next attempt leads
   */
  function showErrorsOnPage(ctx: Context): { returnTo: string } {
    const next = { returnTo: signInPath };
    ctx.set("Cache-Control", "no-store");
    ctx.state.errorPage = (error: UsherError) =>
      show(ctx, error.status, {
        title: "You are not signed in",
        problem: error.expose ? error.message : "something went wrong",
        ...next,
      });
    return next;
  }

  function requireAddress(): string {
    if (address !== null) return address;
    throw new UsherError("not_found", "sign-in is off here: set admin.url to the address of this page");
  }

  table.add(
    "People",
    "GET",
    "/admin/session",
    () => ({
      summary: "Returns the principal signed in with this browser, the CSRF token, and the available ways to sign in.",
      answers: [{ status: 200, schema: browserAnswer, description: "Open to strangers." }],
    }),
    async (ctx) => {
      ctx.set("Cache-Control", "no-store");
      const current = await signedIn(ctx);
      const { kind, id, name, role, rooms } = current?.grant ?? {};
      ctx.body = {
        principal: current === null ? null : { kind, id, name, role, rooms },
        session: current === null ? null : sessions.nameOf(current.session),
        csrf_token: current?.csrfToken ?? null,
        sign_in: { key: address !== null, provider: signIn !== null },
      };
    },
  );

  table.add(
    "People",
    "GET",
    signInPath,
    () => ({ summary: "Shows the page to sign in.", answers: aPage, errors: ofSignIn }),
    async (ctx) => {
      showErrorsOnPage(ctx);
      const returnTo = readReturnTo(ctx.query.return_to, requireAddress());
      const current = await signedIn(ctx);
      const who = current && { ...current.grant, csrfToken: current.csrfToken };
      show(ctx, 200, { returnTo, signedIn: who, ...(who && { title: "You are signed in" }) });
    },
  );

  table.add(
    "People",
    "POST",
    `${signInPath}/key`,
    () => ({
      summary: "Signs a browser in with an admin key.",
      form: z.object({ key: text, return_to: text.optional() }),
      answers: [seeOtherAnswer],
      errors: ofAttempt,
    }),
    (ctx) => {
      const next = showErrorsOnPage(ctx);
      const route = { method: "POST", path: "/sign-in/key", role: "viewer", isSignIn: true } as const;
      return audited(audit, ctx, route, async (_, knowPrincipal) => {
        // Otherwise another site could sign a browser in as somebody else.
        const form = await readSameOriginForm(ctx, requireAddress());
        const returnTo = readReturnTo(form.get("return_to"), requireAddress());
        next.returnTo = returnTo;
        const key = form.get("key") ?? "";
        const { grant, sha256 } = findKey(adminKeys, key.length > keyLengthMax ? "" : key);
        if (grant === null) {
          countFailure(ctx, failures);
          throw new UsherError("unauthorized", "this is no admin key that is in force");
        }
        knowPrincipal({ kind: "key", name: null, ...grant });
        await enter(ctx, { key: grant.id, keySha256: sha256 }, returnTo);
      });
    },
  );

  table.add(
    "People",
    "GET",
    signInLinkPath,
    () => ({
      summary: "Shows the page of a link that was printed at start, without using it up.",
      query: z.object({ token: text.optional() }),
      answers: aPage,
      errors: ofAttempt,
    }),
    async (ctx) => {
      showErrorsOnPage(ctx);
      requireAddress();
      const token = String(ctx.query.token ?? "");
      await requireLink(ctx, () => link.isGood(ctx, token));
      show(ctx, 200, { linkToken: token });
    },
  );

  table.add(
    "People",
    "POST",
    signInLinkPath,
    () => ({
      summary: "Signs a browser in by a link that was printed at start, once.",
      form: z.object({ token: text }),
      answers: [seeOtherAnswer],
      errors: ofAttempt,
    }),
    (ctx) => {
      showErrorsOnPage(ctx);
      const route = { method: "POST", path: "/sign-in/link", role: "viewer", isSignIn: true } as const;
      return audited(audit, ctx, route, async (_, knowPrincipal) => {
        const form = await readSameOriginForm(ctx, requireAddress());
        await requireLink(ctx, () => link.use(ctx, form.get("token") ?? ""));
        const person = {
          id: personId("sign-in-link"),
          name: "sign-in link",
          role: "admin",
          rooms: null,
          sid: null,
        } as const;
        knowPrincipal({ kind: "person", ...person });
        await enter(ctx, person, signInPath);
      });
    },
  );

  table.add(
    "People",
    "GET",
    `${signInPath}/start`,
    () => ({
      summary: "Sends a browser to the provider.",
      query: z.object({ return_to: text.optional() }),
      answers: [{ status: 302, description: "Go on at `Location`." }],
      errors: atProvider,
    }),
    async (ctx) => {
      const next = showErrorsOnPage(ctx);
      const returnTo = readReturnTo(ctx.query.return_to, requireAddress());
      next.returnTo = returnTo;
      const { provider } = requireProvider();
      countSignIn(ctx, "sign-in begun");
      const { url, transaction } = await provider.begin();
      cookies.begin(ctx, transaction, returnTo);
      ctx.redirect(url);
    },
  );

  table.add(
    "People",
    "GET",
    `${signInPath}/callback`,
    () => ({
      summary: "Takes a browser back from the provider.",
      answers: [seeOtherAnswer],
      errors: [...atProvider, "sign_in_failed", "forbidden", "store_unavailable"],
    }),
    (ctx) => {
      const next = showErrorsOnPage(ctx);
      const route = { method: "GET", path: "/sign-in/callback", role: "viewer", isSignIn: true } as const;
      return audited(audit, ctx, route, async (notes, knowPrincipal) => {
        const { provider, rules } = requireProvider();
        const transaction = cookies.takeTransaction(ctx);
        if (transaction === null) {
          throw new UsherError("sign_in_failed", "this browser began no sign-in in the last ten minutes: begin again");
        }
        countSignIn(ctx, "sign-in ended");
        const returnTo = readReturnTo(transaction.return_to, requireAddress());
        next.returnTo = returnTo;
        const claims = await provider.finish(ctx.search, transaction);
        const granted = grantedBy(rules, claims);
        const [id, name] = [personId(String(claims.sub)), nameOf(claims)];
        if (granted === null) {
          notes.subject = { person: id };
          throw new UsherError(
            "forbidden",
            `the provider knows you as ${name}, and no rule of admin.sign_in gives you a role: ask an administrator of Usher for one`,
          );
        }
        knowPrincipal({ kind: "person", id, name, role: granted.role });
        const sid = typeof claims.sid === "string" && claims.sid.length <= 256 ? claims.sid : null;
        await enter(ctx, { id, name, ...granted, sid }, returnTo);
      });
    },
  );

  table.add(
    "People",
    "POST",
    "/admin/sign-out",
    () => ({
      summary: "Ends the session of this browser.",
      form: z.object({ csrf_token: text.optional() }),
      answers: [
        {
          status: 200,
          schema: z.object({ end_session_url: text.nullable() }),
          types: html,
          description: "Where the session at the provider ends, or null.",
        },
      ],
      errors: ofAttempt,
    }),
    async (ctx) => {
      showErrorsOnPage(ctx);
      const route = { method: "POST", path: "/sign-out", role: "viewer", isSignIn: true } as const;
      let isPerson = false;
      await audited(audit, ctx, route, async (notes, knowPrincipal) => {
        const session = cookies.session(ctx);
        const grant = session === null ? null : await findSession(browsers, session, ctx, failures);
        if (grant !== null) knowPrincipal({ ...grant, name: grant.kind === "person" ? grant.name : null });
        isPerson = grant?.kind === "person";
        requireSameOrigin(ctx, requireAddress());
        const token = ctx.get("X-CSRF-Token") || (new URLSearchParams(await readForm(ctx)).get("csrf_token") ?? "");
        if (session !== null) requireConsolePage(ctx, address, session, token);
        // Whatever it is worth here: it may be worth more at another process. Of any other, strangers could send very many.
        if (session !== null && sessions.has(session)) await sessions.end(session);
        else notes.isNothingNew = true;
        cookies.clearSession(ctx);
        ctx.status = 200;
      });
      const endSessionUrl = isPerson
        ? ((await signIn?.provider.endSessionUrl(`${requireAddress()}${signInPath}`)) ?? null)
        : null;
      if (acceptsHtml(ctx.headers)) show(ctx, 200, { title: "You are signed out", endSessionUrl });
      else ctx.body = { end_session_url: endSessionUrl };
    },
  );

  table.add(
    "People",
    "POST",
    `${signInPath}/back-channel-logout`,
    () => ({
      summary: "Takes a logout token of the provider, which ends sessions.",
      form: z.object({ logout_token: text }),
      answers: [{ status: 200, schema: z.object({}), description: "The sessions have ended." }],
      errors: [...atProvider, "store_unavailable"],
    }),
    (ctx) => {
      ctx.set("Cache-Control", "no-store");
      const route = { method: "POST", path: "/sign-in/back-channel-logout", role: "viewer", isSignIn: true } as const;
      return audited(audit, ctx, route, async (notes) => {
        const { provider } = requireProvider();
        const token = new URLSearchParams(await readForm(ctx)).get("logout_token") ?? "";
        if (token === "" || token.length > logoutTokenLengthMax) {
          throw new UsherError("bad_request", "logout_token: expected a signed token of the provider");
        }
        const { sub, ...logout } = await provider.readLogoutToken(token);
        const person = sub === null ? null : personId(sub);
        await sessions.endByProvider({ ...logout, personId: person });
        if (person !== null) notes.subject = { person };
        ctx.status = 200;
        ctx.body = {};
      });
    },
  );

  return table;

  /** A new session, whatever the browser had: one that somebody else put there is worth nothing. */
  async function enter(ctx: Context, who: Parameters<AdminSessions["create"]>[0], returnTo: string): Promise<void> {
    cookies.setSession(ctx, await sessions.create(who, cookies.session(ctx)));
    ctx.redirect(returnTo);
    ctx.status = 303;
  }

  /** @throws UsherError `not_found` */
  function requireProvider() {
    if (signIn !== null) return signIn;
    throw new UsherError("not_found", "nobody signs in by a provider here: admin.sign_in is not configured");
  }

  /** Each asks the provider something. @throws UsherError `too_many_from_address` */
  function countSignIn(ctx: Context, what: string): void {
    countAttempt(ctx, failures, what, "so many sign-ins were begun from this address that it must wait some seconds");
  }

  /** @throws UsherError `unauthorized`, `too_many_from_address` */
  async function requireLink(ctx: Context, ask: () => Promise<boolean>): Promise<void> {
    if (await askForLink(ctx, failures, ask, (isGood) => isGood)) return;
    const message =
      "this link signs nobody in: it works once, for 15 minutes, and only while there is neither an admin key nor admin.sign_in; " +
      "start Usher again for another one";
    throw new UsherError("unauthorized", message);
  }
}
