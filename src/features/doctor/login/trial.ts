/** What a trial of a login acts in, and how it ends. */
import { type Finding, fault, warning } from "../../../lib/finding.ts";
import type { Answer } from "../ask.ts";
import type { Browser } from "./browser.ts";

/** What the doctor asks of the installation itself, which shows none of it to the public. */
export interface Insider {
  /** How findings name what answers. */
  readonly name: string;
  /** A bypass link into the room. @throws Untried */
  makeLink(room: string): Promise<string>;
  /** The `sub` of the visitor who holds a ticket; null for a ticket that is none. @throws Untried */
  visitorOf(room: string, ticket: string): Promise<string | null>;
  /** Whether the visitor's admission still lets them log in. @throws Untried */
  isLive(room: string, sub: string): Promise<boolean>;
  /** Ends the visitor's admission, where there is one. @throws Untried */
  endAdmission(room: string, sub: string): Promise<void>;
}

/** Something could not be tried, which says nothing about what visitors meet. */
export class Untried extends Error {}

/** What a trial of a login acts in. */
export interface Trial {
  readonly browser: Browser;
  readonly issuer: string;
  readonly room: string;
  readonly insider: Insider;
}

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

/** All that a trial found, whatever ends it. Errors that are no finding are thrown on. */
export async function findingsOf(what: string, trial: (findings: Finding[]) => Promise<void>): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    await trial(findings);
  } catch (error) {
    findings.push(findingOf(error, `${what} could not be tried`));
  }
  return findings;
}

/** Of an admission that could not be ended. */
export function leftBehind(error: unknown, sub: string): Finding {
  return findingOf(error, `The admission ${sub} of the trial could not be ended, and ends by its time`);
}

function findingOf(error: unknown, what: string): Finding {
  if (error instanceof Found) return error.finding;
  if (error instanceof Untried) return warning(about, `${what}: ${error.message}`);
  throw error;
}
