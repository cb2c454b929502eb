import { foreign, ProblemError } from "../../../operate/console/api/api.ts";
import { isJson } from "../../../operate/console/api/reading.ts";
import { ChainVerifier, type Verification } from "../../../room/admission-log/chain-verifier.ts";
import { type ChainHead, createChainRecipe } from "../../../room/admission-log/recipe.ts";
import { sha256Text } from "../../../room/draw-recipe/sha256-text.ts";
import { createReport, type FairnessReport } from "../shared/create-report.ts";
import { GatheredLog } from "../shared/gathered.ts";

/** What a log says, and whether it is whole. */
export interface ReadLog {
  readonly verification: Verification;
  /** Null for a log of which no row says what was in force. */
  readonly report: FairnessReport | null;
}

/**
 * Reads the log of a room as it comes, computes its chain here, and makes the report of it.
 *
 * @param heads that the log has to agree with
 * @param onProgress takes how many rows were read so far
 * @throws ProblemError where the gateway refuses, or the answer breaks off
 */
export async function readLog(
  room: string,
  heads: readonly ChainHead[],
  stop: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<ReadLog> {
  const verifier = new ChainVerifier(createChainRecipe(sha256Text), heads);
  const log = new GatheredLog();
  let rest = "";
  const takeLines = (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const row of lines) {
      const line = verifier.take(row);
      if (line !== null) log.take(line);
    }
    onProgress(verifier.result().rows);
  };
  const answer = await fetch(`/admin/rooms/${room}/log`, { signal: stop }).catch(() => null);
  if (answer !== null && (answer.redirected || !isJson(answer))) throw foreign(answer);
  if (answer === null || !answer.ok) throw new ProblemError({ status: answer?.status ?? 0, text: null, answer: null });
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const part = await reader?.read().catch(() => null);
    if (part === null) throw new ProblemError({ status: 0, text: null, answer: null });
    if (part?.value === undefined) break;
    takeLines(decoder.decode(part.value, { stream: true }));
  }
  takeLines(`${decoder.decode()}\n`);
  const verification = verifier.result();
  return { verification, report: createReport(log, verification, null) };
}
