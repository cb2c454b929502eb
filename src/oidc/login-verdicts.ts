import type { IncomingMessage } from "node:http";

/** What the gate found out about the visitor of one request: a claim made, for the policy to verify. */
export interface LoginVerdict {
  readonly room: string;
  readonly sub: string;
  /** Hash of the authorization request that was recorded with the admission. */
  readonly login: string;
}

/** Hands the verdict from the gate to the policy, which runs in oidc-provider's own Koa context. */
export class LoginVerdicts {
  readonly #verdicts = new WeakMap<IncomingMessage, LoginVerdict>();

  set(request: IncomingMessage, verdict: LoginVerdict): void {
    this.#verdicts.set(request, verdict);
  }

  get(request: IncomingMessage): LoginVerdict | undefined {
    return this.#verdicts.get(request);
  }
}
