import type { AdminAnswers } from "../../client/index.ts";
import type { AskingOptions } from "../installation/gateway-options.ts";
import { CommandError, jsonText, printable } from "../terminal.ts";

export type Attempt = AdminAnswers["DeliveryAttempt"];

/** @throws CommandError where the receiver has not accepted `what` */
export function reportAttempt(
  attempt: Attempt,
  what: string,
  { json }: AskingOptions,
  print: (text: string) => void,
): void {
  if (json) print(jsonText(attempt));
  if (!attempt.delivered) throw new CommandError(`${what} was not accepted: ${refusalOf(attempt)}`);
  if (!json) print(printable(`${what} was accepted: ${attempt.status}, in ${attempt.duration_ms} ms.`));
}

/** In one line. What the receiver answered must not steer the terminal. */
export function refusalOf({ reason, answer }: Attempt): string {
  return printable(
    `${reason ?? "no reason was given"}${answer === "" ? "" : `, ${JSON.stringify(answer.slice(0, 200))}`}`,
  );
}
