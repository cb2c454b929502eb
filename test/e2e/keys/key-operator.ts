import { expect } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import type { HttpClient } from "../../support/http-client.ts";
import { within } from "../../support/within.ts";

/** A key as the admin API tells it. */
export interface ToldKey {
  kid: string;
  issuer: string;
  purpose: string;
  alg: string | null;
  state: string;
  source: string;
  held: boolean;
  [member: string]: unknown;
}

/** Looks after the keys at the gateways of one issuer, by their own addresses. */
export function createKeyOperator(http: HttpClient, origins: readonly string[]) {
  const ask = (index: number, method: string, path: string, body?: object) =>
    http.request(`${origins[index]}/admin/keys${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      ...(body && { body }),
    });

  async function list(index: number, purpose: string): Promise<ToldKey[]> {
    const answer = await ask(index, "GET", `?purpose=${purpose}`);
    expect(answer.status, answer.body).toBe(200);
    return (answer.json() as { keys: ToldKey[] }).keys;
  }

  /** All gateways have heard of it, and go by it: well within the promised seconds. */
  async function isEverywhere(purpose: string, kid: string, state: string): Promise<void> {
    const seen = async () => {
      const states: (string | undefined)[] = [];
      for (const index of origins.keys()) {
        const key = (await list(index, purpose)).find((each) => each.kid === kid);
        states.push(key && `${key.state}${key.held || state === "retired" ? "" : ", not held"}`);
      }
      return states;
    };
    await within(2_000, async () => expect(await seen()).toEqual(origins.map(() => state)));
  }

  return {
    ask,
    list,
    isEverywhere,

    async active(index: number, purpose: string, alg: string | null = null): Promise<string> {
      const found = (await list(index, purpose)).find(
        (key) => key.state === "active" && (alg === null || key.alg === alg),
      );
      return found?.kid ?? "";
    },

    async generate(index: number, purpose: string, alg?: string): Promise<string> {
      const answer = await ask(index, "POST", "", { purpose, ...(alg && { alg }) });
      expect(answer.status, answer.body).toBe(201);
      return (answer.json() as ToldKey).kid;
    },

    /** Takes a step at one gateway, and waits until all know. */
    async step(index: number, purpose: string, kid: string, step: "stage" | "promote" | "retire"): Promise<void> {
      const answer = await ask(index, "POST", `/${kid}/${step}`, step === "stage" ? {} : { force: true });
      expect(answer.status, answer.body).toBe(200);
      await isEverywhere(purpose, kid, { stage: "staged", promote: "active", retire: "retired" }[step]);
    },
  };
}
