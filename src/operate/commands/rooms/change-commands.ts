import { randomUUID } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { askGateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import { CommandError, figure, jsonText, printable, type Terminal, UsageError } from "../terminal.ts";
import type { Room } from "./room.ts";
import { describeStep } from "./room.ts";

interface MessageOptions extends GatewayRequestOptions {
  readonly clear?: true;
  readonly severity?: Severity;
  readonly returns?: boolean;
  readonly in: Readonly<Record<string, string>>;
}
type Patch = AdminAnswers["RoomSettingsChange"];

const severities = ["information", "warning", "sold_out"] as const;
type Severity = (typeof severities)[number];
type Message = NonNullable<Patch["message"]> | null;

/** `usher rate`, `call`, `message`, `stock` and `bypass`: what is changed in a room while its sale runs. */
export function addChangeCommands(program: Command, { env, print }: Terminal): void {
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(program.command(nameAndArguments).description(description));

  command("rate <room> [per-minute]", "let so many enter in a minute at most")
    .option("--from-file", "give the value back to the configuration file")
    .action(
      async (
        room: string,
        perMinute: string | undefined,
        options: GatewayRequestOptions & {
          readonly fromFile?: true;
        },
      ) => {
        if ((perMinute === undefined) !== (options.fromFile === true))
          throw new UsageError("give a rate, or --from-file");
        const outflow_per_minute = perMinute === undefined ? null : wholeNumber(perMinute);
        const changed = await change(room, { inlet: { outflow_per_minute } }, options, "operator");
        const { outflow_limit: limit, warnings } = changed;
        const now = limit === null ? "has no limit" : `admits at most ${figure(limit)} a minute`;
        show(changed, options, [`${room} ${now}.`, ...warnings.map((warning) => `warning: ${warning}`)]);
      },
    );

  command("call <room> <number>", "let so many more in; a negative number takes back calls")
    .option("--idempotency-key <key>", "of a call that is sent again because no answer came")
    .action(
      async (
        room: string,
        number: string,
        options: GatewayRequestOptions & {
          readonly idempotencyKey?: string;
        },
      ) => {
        const increment_by = wholeNumber(number);
        const gateway = gatewayOf(options, env, right("operator"));
        const key = options.idempotencyKey ?? randomUUID();
        const params = { path: { room }, header: { "Idempotency-Key": key } };
        const answer = await askGateway(gateway, (client) =>
          client.POST("/admin/rooms/{room}/serving", { params, body: { increment_by } }),
        ).catch((error) => withKey(error, key));
        show(answer, options, [describeStep(room, answer)]);
      },
    );

  command("message <room> [text]", "tell everybody in the room something")
    .option("--in <language=text>", "the text in a language; may be given several times", addText, {})
    .option("--severity <severity>", `${severities.join(", ")}; default: ${severities[0]}`, readSeverity)
    .option("--returns <yes|no>", "of sold_out: whether visitors may wait for what is returned", readYesOrNo)
    .option("--clear", "take the message away, or give it back to the configuration file")
    .action(async (room: string, text: string | undefined, options: MessageOptions) => {
      const message = messageOf(text, options);
      const changed = await change(room, { message }, options, "box_office");
      const remains = message === null && changed.settings.message !== null;
      const now =
        message === null
          ? "has no message"
          : "shows the message; open pages follow within a minute, those with long to go within two and a half";
      show(changed, options, [remains ? `${room} shows the message of its file again.` : `${room} ${now}.`]);
    });

  command("stock <room> [remaining]", "tell how many are left to sell; at 0 the room is sold out")
    .option("--clear", "take the number away")
    .action(
      async (
        room: string,
        remaining: string | undefined,
        options: GatewayRequestOptions & {
          readonly clear?: true;
        },
      ) => {
        if ((remaining === undefined) !== (options.clear === true)) throw new UsageError("give a number, or --clear");
        const body = { remaining: remaining === undefined ? null : wholeNumber(remaining) };
        const params = { path: { room } };
        const answer = await askGateway(gatewayOf(options, env, right("box_office")), (client) =>
          client.PUT("/admin/rooms/{room}/stock", { params, body }),
        );
        const left = answer.remaining === null ? "tells no stock" : `has ${figure(answer.remaining)} left`;
        show(answer, options, [`${room} ${left}.`, describeStep(room, answer)]);
      },
    );

  command("bypass <room>", "make a link that lets one person in ahead of the line, once, within three minutes")
    .option("--note <note>", "who or what it is for; in the log")
    .option("--target <url>", "where it leads")
    .action(
      async (
        room: string,
        options: GatewayRequestOptions & {
          readonly note?: string;
          readonly target?: string;
        },
      ) => {
        const gateway = gatewayOf(options, env, right("box_office"));
        const { note, target } = options;
        const body = { ...(note !== undefined && { note }), ...(target !== undefined && { target_link_uri: target }) };
        const params = { path: { room } };
        const link = await askGateway(gateway, (client) => client.POST("/admin/rooms/{room}/bypass", { params, body }));
        show(link, options, [link.url, `It works once, until ${link.expires_at}.`]);
      },
    );

  function change(room: string, body: Patch, options: GatewayRequestOptions, role: string): Promise<Room> {
    const params = { path: { room } };
    return askGateway(gatewayOf(options, env, right(role)), (client) =>
      client.PATCH("/admin/rooms/{room}", { params, body }),
    );
  }

  function show(answer: unknown, { json }: GatewayRequestOptions, lines: readonly string[]): void {
    print(json ? jsonText(answer) : lines.map(printable).join("\n"));
  }
  addExamples(
    program,
    "usher rate tickets 600",
    "usher call tickets 50",
    'usher message tickets "Doors open at 10:00." --in de="Beginn um 10:00 Uhr."',
    "usher stock tickets 1200",
    'usher bypass tickets --note "wheelchair user, by telephone"',
  );
}

function right(role: string): string {
  return `has the role ${role} for the room`;
}

/** It may have been carried out: the same key makes it safe to send again. */
function withKey(error: unknown, key: string): never {
  const isUnanswered = error instanceof CommandError && error.message.startsWith("no gateway answers");
  if (!isUnanswered) throw error;
  throw new CommandError(`${error.message}\nTo send it again without calling twice: --idempotency-key ${key}`);
}

function wholeNumber(text: string): number {
  if (/^-?\d{1,10}$/.test(text)) return Number(text);
  throw new UsageError(`expected a whole number, and not ${JSON.stringify(text.slice(0, 40))}`);
}

/** @throws UsageError where there is none, or two */
function messageOf(text: string | undefined, { clear, severity, returns, in: texts }: MessageOptions): Message {
  const hasTexts = Object.keys(texts).length > 0;
  const inputCount = [text !== undefined, hasTexts, clear === true].filter(Boolean).length;
  if (inputCount !== 1) throw new UsageError("give a text, or texts with --in, or --clear");
  if (clear) return null;
  if (returns !== undefined && severity !== "sold_out") throw new UsageError("--returns is for --severity sold_out");
  return {
    text: hasTexts ? texts : (text ?? ""),
    ...(severity !== undefined && { severity }),
    ...(returns !== undefined && { returns }),
  };
}

function addText(argument: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const [, language = "", text = ""] = argument.match(/^([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)=([\s\S]+)$/) ?? [];
  if (language === "") throw new InvalidArgumentError("expected a language and a text, such as de=Ausverkauft");
  return { ...before, [language]: text };
}

function readYesOrNo(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new InvalidArgumentError("expected yes or no");
}

function readSeverity(text: string): Severity {
  const severity = severities.find((known) => known === text);
  if (severity !== undefined) return severity;
  throw new InvalidArgumentError(`expected ${severities.join(", ")}`);
}
