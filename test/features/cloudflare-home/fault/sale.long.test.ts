// Long: a sale of minutes, since a room with a limit admits nobody for one of them after a loss.
import { test } from "vitest";
import { playSale, type SaleAnswer } from "../../../fault/home-sale.ts";
import type { HttpClient } from "../../../support/http-client.ts";
import { ask, host, newProgram, type Program, placeOf, told } from "../support/program.ts";

test("a kill, FLUSHALL and a reset cost no program its place or visit, give no place twice, and break no limit", () =>
  playSale({
    settings: { targets: [`https://${host}/`] },
    config: { homes: { cloudflare: { rooms: { line: true, limited: true } } } },
    newShopper: newProgram,
    shop,
  }));

async function shop(http: HttpClient, origin: string, program: Program): Promise<SaleAnswer> {
  const answer = await ask(http, origin, program);
  if (answer.status === 200) return { kind: "in", id: answer.header("x-usher-sub") ?? "" };
  const retryMs = Number(answer.header("retry-after") ?? 0) * 1_000;
  const { error } = told(answer);
  if (error !== undefined) return { kind: "other", what: error, retryMs };
  const { position, state } = await placeOf(http, origin, program);
  return { kind: "parked", position: position ?? 0, state, retryMs };
}
