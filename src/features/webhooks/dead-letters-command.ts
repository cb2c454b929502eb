import type { Command } from "commander";
import { type EventSummary, eventInWords } from "../../lib/event-words.ts";
import { isObject } from "../../lib/json.ts";
import type { AdminAnswers } from "../../operate/client/index.ts";
import { allPages, askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { type GatewayRequestOptions, withGatewayRequest } from "../../operate/commands/installation/gateway-options.ts";
import {
  CommandError,
  counted,
  jsonLine,
  jsonText,
  printable,
  tableOf,
  UsageError,
} from "../../operate/commands/terminal.ts";

type DeadLetter = AdminAnswers["DeadLetter"];
type Attempt = AdminAnswers["DeliveryAttempt"];

/** `usher webhooks dead-letters …`: events that were given up. */
export function addDeadLettersCommand(
  webhooks: Command,
  gatewayFor: (options: GatewayRequestOptions) => Gateway,
  print: (text: string) => void,
): void {
  const letters = webhooks.command("dead-letters").description("events that were given up after a day: list, replay");
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(letters.command(nameAndArguments).description(description));

  command("list <webhook>", "all of them, by room and oldest first").action(
    async (id: string, options: GatewayRequestOptions) => {
      const found = await lettersOf(gatewayFor(options), id);
      if (options.json) print(jsonText(found));
      else print(found.length === 0 ? "There are no dead letters." : tableOf([columns, ...found.map(rowOf)]));
    },
  );

  command("replay <webhook> [letter]", "send one again, or all; one that is accepted is gone")
    .option("--all", "all there are, in their order, up to the first that is not accepted")
    .action(
      async (id: string, letter: string | undefined, { all, ...options }: GatewayRequestOptions & { all?: true }) => {
        if ((letter === undefined) === (all === undefined)) throw new UsageError("name a dead letter, or give --all");
        const gateway = gatewayFor(options);
        if (letter !== undefined) {
          reportAttempt(await replay(gateway, id, letter), `The dead letter ${letter}`, options, print);
          return;
        }
        const found = await lettersOf(gateway, id);
        for (const [done, { id: each }] of found.entries()) {
          const attempt = await replay(gateway, id, each);
          if (attempt.delivered) continue;
          if (options.json) print(jsonText({ replayed: done, refused: each, attempt }));
          const before = `${counted(done, "dead letter")} of ${found.length} had been accepted`;
          throw new CommandError(`The dead letter ${each} was not accepted: ${refusalOf(attempt)}\n${before}.`);
        }
        const count = found.length;
        print(options.json ? jsonLine({ replayed: count }) : `${counted(count, "dead letter")} sent and accepted.`);
      },
    );
}

function replay(gateway: Gateway, webhook: string, letter: string) {
  const params = { path: { webhook, letter } };
  return askGateway(gateway, (client) =>
    client.POST("/admin/webhooks/{webhook}/dead-letters/{letter}/replay", { params }),
  );
}

async function lettersOf(gateway: Gateway, id: string): Promise<DeadLetter[]> {
  const pages = await allPages(gateway, (client, query) =>
    client.GET("/admin/webhooks/{webhook}/dead-letters", { params: { path: { webhook: id }, query } }),
  );
  return pages.flatMap((page) => page.dead_letters);
}

const columns = ["LETTER", "GIVEN UP", "ATTEMPTS", "REASON", "EVENT"];

function rowOf({ id, given_up_at, attempts, reason, event }: DeadLetter): string[] {
  return [id, given_up_at, String(attempts), reason, inWords(event)];
}

/** Whatever it is that a gateway keeps. */
function inWords({ type, subject, data }: Record<string, unknown>): string {
  const summary: EventSummary = { type: String(type), subject: String(subject), data: isObject(data) ? data : {} };
  return eventInWords(summary).slice(0, 120);
}

/** @throws CommandError where the receiver has not accepted `what` */
export function reportAttempt(
  attempt: Attempt,
  what: string,
  { json }: GatewayRequestOptions,
  print: (text: string) => void,
): void {
  if (json) print(jsonText(attempt));
  if (!attempt.delivered) throw new CommandError(`${what} was not accepted: ${refusalOf(attempt)}`);
  if (!json) print(printable(`${what} was accepted: ${attempt.status}, in ${attempt.duration_ms} ms.`));
}

/** In one line. What the receiver answered must not steer the terminal. */
function refusalOf({ reason, answer }: Attempt): string {
  return printable(
    `${reason ?? "no reason was given"}${answer === "" ? "" : `, ${JSON.stringify(answer.slice(0, 200))}`}`,
  );
}
