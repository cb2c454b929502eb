import type { IncomingMessage } from "node:http";

/** What the gate found out about the visitor of one request: a claim made, for the policy to verify. */
export interface LoginVerdict {
  readonly room: string;
  readonly sub: string;
  /** The authorization request as it was recorded with the admission. */
  readonly login: string;
}

/** Why the gate lets nobody in by a request that has to be answered at once all the same. */
export type LoginRefusal = "in_line" | "not_logged_in" | "other_visitor";

/** Hands the verdict from the gate to the policy, which runs in oidc-provider's own Koa context. */
export class LoginVerdicts {
  readonly #verdicts = new WeakMap<IncomingMessage, LoginVerdict | LoginRefusal>();

  set(request: IncomingMessage, verdict: LoginVerdict | LoginRefusal): void {
    this.#verdicts.set(request, verdict);
  }

  get(request: IncomingMessage): LoginVerdict | LoginRefusal | undefined {
    return this.#verdicts.get(request);
  }
}
