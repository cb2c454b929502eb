import { type Finding, fault, warning } from "../../lib/finding.ts";
import type { Answer } from "../asking/ask.ts";

export const about = "whole login";

/** Ends the trial of a login with what was found. */
export class Found extends Error {
  readonly finding: Finding;

  constructor(status: "fault" | "warning", text: string, what: string = about) {
    super(text);
    this.finding = (status === "fault" ? fault : warning)(what, text);
  }
}

/** @throws Found where nothing answers */
export function answered(answer: Answer | string, what: string): Answer {
  if (typeof answer !== "string") return answer;
  throw new Found("fault", `${what} does not answer (${answer}): let the proxy lead it to Usher.`);
}
