import type { Command } from "commander";
import type { AdminAnswers } from "../../operate/client/index.ts";
import { allPages, askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { type AskingOptions, gatewayOf, withAsking } from "../../operate/commands/installation/gateway-options.ts";
import { tableOf } from "../../operate/commands/table.ts";
import { jsonText, printable, type Terminal } from "../../operate/commands/terminal.ts";

type Incident = AdminAnswers["Incident"];
type State = Incident["state"];
/** As they were written: the gateway knows which states there are, and names them. JSON leaves out what is undefined. */
type NewIncident = {
  title: string;
  text: string;
  state?: Exclude<State, "resolved">;
  rooms?: string[];
  language?: string;
};
type NewUpdate = { text: string; state?: State };

interface OpenOptions extends AskingOptions {
  readonly state?: Exclude<State, "resolved">;
  readonly rooms?: string;
  readonly language?: string;
}

/** `usher incidents …`: what the public status page says of what is wrong (docs/status-page.md). */
export function addIncidentsCommand(program: Command, { env, print }: Terminal): void {
  const incidents = program
    .command("incidents")
    .description(
      "what the public status page says of what is wrong: list, open, update, resolve (docs/status-page.md)",
    );
  const command = (nameAndArguments: string, description: string) =>
    withAsking(incidents.command(nameAndArguments).description(description));
  const gatewayFor = (options: AskingOptions): Gateway =>
    gatewayOf(options, env, "has the role operator, for all rooms");

  command("list", "those that go on, and those resolved in the last 14 days").action(async (options: AskingOptions) => {
    const pages = await allPages(gatewayOf(options, env, "has the role viewer, for all rooms"), (client, query) =>
      client.GET("/admin/incidents", { params: { query } }),
    );
    const found = pages.flatMap((page) => page.incidents);
    if (options.json) print(jsonText(found));
    else print(found.length === 0 ? "There are no incidents." : tableOf([columns, ...found.map(rowOf)]));
  });

  command("open <title> <text>", "say what is wrong, and what is known of it")
    .option("--state <state>", "investigating, identified or monitoring; default: investigating")
    .option("--rooms <rooms>", "those it affects, with commas; without it all")
    .option("--language <tag>", "the language of title and text, such as en")
    .action(async (title: string, text: string, { state, rooms, language, ...options }: OpenOptions) => {
      const body = { title, text, state, rooms: rooms?.split(","), language } as NewIncident;
      const opened = await askGateway(gatewayFor(options), (client) => client.POST("/admin/incidents", { body }));
      tell(opened, options, `The incident ${opened.id} is open: the status page says so within seconds.`);
    });

  command("update <incident> <text>", "say what is known now")
    .option("--state <state>", "investigating, identified, monitoring or resolved; default: as it was")
    .action(async (id: string, text: string, { state, ...options }: AskingOptions & { state?: State }) => {
      const updated = await update(gatewayFor(options), id, { text, state } as NewUpdate);
      tell(updated, options, `The incident ${id} is ${updated.state}.`);
    });

  command("resolve <incident> <text>", "say that it is over, and what it was").action(
    async (id: string, text: string, options: AskingOptions) => {
      const resolved = await update(gatewayFor(options), id, { text, state: "resolved" });
      tell(resolved, options, `The incident ${id} is resolved. The status page has it for 14 days more.`);
    },
  );

  command("delete <incident>", "take one off the status page").action(async (id: string, options: AskingOptions) => {
    const params = { path: { incident: id } };
    await askGateway(gatewayFor(options), (client) => client.DELETE("/admin/incidents/{incident}", { params }));
    print(options.json ? "{}" : printable(`The incident ${id} is deleted.`));
  });

  function tell(incident: Incident, { json }: AskingOptions, words: string): void {
    print(json ? jsonText(incident) : printable(words));
  }
}

function update(gateway: Gateway, incident: string, body: NewUpdate) {
  const params = { path: { incident } };
  return askGateway(gateway, (client) => client.POST("/admin/incidents/{incident}/updates", { params, body }));
}

const columns = ["INCIDENT", "STATE", "OPENED", "ROOMS", "TITLE", "UPDATES"];

function rowOf({ id, state, opened_at, rooms, title, updates }: Incident): string[] {
  return [id, state, opened_at, rooms?.join(",") ?? "all", title, String(updates.length)];
}
