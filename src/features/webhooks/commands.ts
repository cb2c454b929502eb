import { type Command, Option } from "commander";
import type { AdminAnswers } from "../../operate/client/index.ts";
import { allPages, askGateway, type Gateway, Refusal } from "../../operate/commands/gateway.ts";
import { addExamples } from "../../operate/commands/help.ts";
import {
  type GatewayRequestOptions,
  gatewayOf,
  withGatewayRequest,
} from "../../operate/commands/installation/gateway-options.ts";
import { jsonText, printable, type Terminal, tableOf, UsageError } from "../../operate/commands/terminal.ts";
import { addDeadLettersCommand, reportAttempt } from "./dead-letters-command.ts";

type Webhook = AdminAnswers["Webhook"];

interface Choice {
  readonly rooms?: string;
  readonly types?: string;
  readonly format?: string;
  readonly note?: string;
}

interface AddOptions extends GatewayRequestOptions, Choice {
  readonly to: string;
  readonly disabled?: true;
}

/** `usher webhooks …`: what docs/webhooks.md does by the admin API. */
export function addWebhooksCommand(program: Command, { env, print }: Terminal): void {
  const webhooks = program
    .command("webhooks")
    .description(
      "the webhooks of a running gateway: list, make, change, test, remove, dead letters (docs/webhooks.md)",
    );
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(webhooks.command(nameAndArguments).description(description));

  command("list", "all of them, without their secrets").action(async (options: GatewayRequestOptions) => {
    const pages = await allPages(gatewayFor(options), (client, query) =>
      client.GET("/admin/webhooks", { params: { query } }),
    );
    const found = pages.flatMap((page) => page.webhooks);
    if (options.json) print(jsonText(found));
    else print(found.length === 0 ? "There are no webhooks." : tableOf([columns, ...found.map(rowOf)]));
  });

  command("show <webhook>", "one, with its whole address").action(
    async (id: string, options: GatewayRequestOptions) => {
      const params = { path: { webhook: id } };
      const found = await askGateway(gatewayFor(options), (client) =>
        client.GET("/admin/webhooks/{webhook}", { params }),
      );
      print(options.json ? jsonText(found) : describe(found));
    },
  );

  command("add", "make a webhook; its secret is shown this once")
    .requiredOption("--to <address>", "the receiver; https")
    .option("--rooms <rooms>", "whose events it gets, with commas; without it all")
    .option(
      "--types <types>",
      "types of events with commas, such as usher.room.*; without it all but figures and admissions",
    )
    .option("--format <format>", "cloudevents or slack")
    .option("--disabled", "keep events back until it is enabled")
    .option("--note <note>", "what it is for")
    .action(async ({ to: url, rooms, types, format, disabled, note, ...options }: AddOptions) => {
      const body = { url, ...chosen({ rooms, types, format, note }), ...(disabled && { enabled: false }) };
      const created = await askGateway(gatewayFor(options), (client) => client.POST("/admin/webhooks", { body })).catch(
        byOption,
      );
      print(options.json ? jsonText(created) : `${describe(created)}\n\n${secretLine(created.secret)}`);
    });

  command("change <webhook>", "change what is named; the rest stays, and so does its secret")
    .option("--to <address>", "another receiver; https")
    .option("--rooms <rooms>", "whose events it gets, with commas")
    .option("--types <types>", "types of events with commas, such as usher.room.*")
    .option("--format <format>", "cloudevents or slack")
    .option("--note <note>", "what it is for")
    .option("--enable", "send events from now on, and those that were kept back")
    .addOption(new Option("--disable", "keep events back until it is enabled").conflicts("enable"))
    .action(
      async (
        id: string,
        {
          to: url,
          rooms,
          types,
          format,
          enable,
          disable,
          note,
          ...options
        }: GatewayRequestOptions &
          Choice & {
            readonly to?: string;
            readonly enable?: true;
            readonly disable?: true;
          },
      ) => {
        const body = {
          ...(url !== undefined && { url }),
          ...chosen({ rooms, types, format, note }),
          ...((enable ?? disable) && { enabled: enable === true }),
        };
        if (Object.keys(body).length === 0) {
          throw new UsageError("say what to change: --to, --rooms, --types, --format, --note, --enable or --disable");
        }
        const params = { path: { webhook: id } };
        const changed = await askGateway(gatewayFor(options), (client) =>
          client.PATCH("/admin/webhooks/{webhook}", { params, body }),
        ).catch(byOption);
        print(options.json ? jsonText(changed) : describe(changed));
      },
    );

  command("test <webhook>", "send it a test event now; ends with 1 where that is not accepted").action(
    async (id: string, options: GatewayRequestOptions) => {
      const params = { path: { webhook: id } };
      const attempt = await askGateway(gatewayFor(options), (client) =>
        client.POST("/admin/webhooks/{webhook}/test", { params }),
      );
      reportAttempt(attempt, "The test event", options, print);
    },
  );

  command("rotate-secret <webhook>", "give it another secret, which is shown this once")
    .option("--overlap <duration>", "how long the secret before it signs, too, 0s to 30d", "24h")
    .action(async (id: string, { overlap, ...options }: GatewayRequestOptions & { overlap: string }) => {
      const request = { params: { path: { webhook: id } }, body: { overlap } };
      const rotated = await askGateway(gatewayFor(options), (client) =>
        client.POST("/admin/webhooks/{webhook}/secret", request),
      );
      const { secret, previous_secret_expires_at: end } = rotated;
      const before =
        end === null ? "The secret before it signs no more." : `The secret before it signs, too, until ${end}.`;
      print(options.json ? jsonText(rotated) : `${printable(before)}\n\n${secretLine(secret)}`);
    });

  command("remove <webhook>", "remove it, and all that waits for it").action(
    async (id: string, options: GatewayRequestOptions) => {
      const params = { path: { webhook: id } };
      await askGateway(gatewayFor(options), (client) => client.DELETE("/admin/webhooks/{webhook}", { params }));
      print(options.json ? "{}" : `The webhook ${id} is removed.`);
    },
  );

  addDeadLettersCommand(webhooks, gatewayFor, print);

  /** @throws CommandError */
  function gatewayFor(options: GatewayRequestOptions): Gateway {
    return gatewayOf(options, env, "has the role admin, for all rooms");
  }
  addExamples(
    program,
    "usher webhooks list",
    "usher webhooks show shop.1",
    "usher webhooks add --to https://hooks.example.com/usher --types usher.room.*",
    "usher webhooks change shop.1 --disable",
    "usher webhooks test shop.1",
    "usher webhooks rotate-secret shop.1 --overlap 1h",
    "usher webhooks remove shop.1",
    "usher webhooks dead-letters list shop.1",
    "usher webhooks dead-letters replay shop.1 --all",
  );
}

/** As it was written: the gateway knows which rooms, types and formats there are, and names them. */
function chosen({ rooms, types, format, note }: { [Name in keyof Choice]: Choice[Name] | undefined }) {
  return {
    ...(rooms !== undefined && { rooms: rooms.split(",") }),
    ...(types !== undefined && { types: types.split(",") }),
    ...(format !== undefined && { format: format as Webhook["format"] }),
    ...(note !== undefined && { note }),
  };
}

/** The gateway speaks of the body's member `url`, which nobody wrote here. */
function byOption(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal(error.message.replace(/^bad_request: url: /, "bad_request: --to: "), error.status);
}

function secretLine(secret: string): string {
  return printable(`Its secret, which is not shown again: ${secret}`);
}

const columns = ["WEBHOOK", "RECEIVER", "ROOMS", "FORMAT", "ENABLED", "SOURCE", "NOTE"];

/** Of the address the host alone: what is behind it may be a secret. */
function rowOf({ id, url, rooms, format, enabled, source, note }: Webhook): string[] {
  const host = URL.canParse(url) ? new URL(url).host : "-";
  return [id, host, rooms?.join(",") ?? "all", format, enabled ? "yes" : "no", source, note ?? "-"];
}

function describe({ id, url, rooms, types, format, enabled, note, source, secrets, created_at, created_by }: Webhook) {
  return tableOf([
    ["webhook", `${id} (${source}${enabled ? "" : ", not enabled"})`],
    ["receiver", url],
    ["format", format],
    ["rooms", rooms?.join(", ") ?? "all, and what is of no room"],
    ...types.map((type) => ["type", type]),
    ...(note === null ? [] : [["note", note]]),
    ...(created_at === null ? [] : [["made", `${created_at} by ${created_by ?? "-"}`]]),
    ...secrets.map((secret) => [
      "secret",
      secret.created_at === null
        ? "of the configuration"
        : `made ${secret.created_at}${secret.expires_at === null ? "" : `, signs until ${secret.expires_at}`}`,
    ]),
  ]);
}
