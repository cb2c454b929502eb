/**
 * The checker of a draw's page: a worker, so that a million numbers don't hold the page up, and so that the page need not
 * carry the mathematics. It sees what the page hands it and nothing else.
 */
import { verifyRound } from "../../room/draw-recipe/beacon-signature.ts";
import { readDrawDocument, ShapeError } from "../../room/draw-recipe/index.ts";
import { type Answer, checkAll, findPlace, type Question } from "./draw-checks.ts";

const answer = (message: Answer) => postMessage(message);

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  try {
    const document = readDrawDocument(data.record);
    if (data.kind === "place") return answer({ kind: "place", place: findPlace(document, data.draw, data.number) });
    for (const check of checkAll(document, data.draw, data.receipt, verifyRound)) answer(check);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    answer({ kind: "check", thing: "record", outcome: "failed", detail: error.message });
  }
  answer({ kind: "done" });
});
