import type { Command } from "commander";
import type { AdminAnswers, AdminClient } from "../../operate/client/index.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { requestCommands, withGatewayRequest } from "../../operate/commands/installation/gateway-options.ts";
import { printable, type Terminal, tableOf } from "../../operate/commands/terminal.ts";

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

/** `usher incidents …`: what the public status page says of what is wrong (docs/status-page.md). */
export function addIncidentsCommand(program: Command, terminal: Terminal): void {
  const incidents = program
    .command("incidents")
    .description(
      "what the public status page says of what is wrong: list, open, update, resolve (docs/status-page.md)",
    );
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(incidents.command(nameAndArguments).description(description));
  const request = requestCommands(terminal, "has the role operator, for all rooms");

  requestCommands(terminal, "has the role viewer, for all rooms").list(
    command("list", "those that go on, and those resolved in the last 14 days"),
    (api, query) => api.GET("/admin/incidents", { params: { query } }),
    (page) => page.incidents,
    (found) => (found.length === 0 ? "There are no incidents." : tableOf([columns, ...found.map(rowOf)])),
  );
  request.one(
    command("open <title> <text>", "say what is wrong, and what is known of it")
      .option("--state <state>", "investigating, identified or monitoring; default: investigating")
      .option("--rooms <rooms>", "those it affects, with commas; without it all")
      .option("--language <tag>", "the language of title and text, such as en"),
    (
      api,
      title: string,
      text: string,
      {
        state,
        rooms,
        language,
      }: {
        readonly state?: Exclude<State, "resolved">;
        readonly rooms?: string;
        readonly language?: string;
      },
    ) =>
      api.POST("/admin/incidents", { body: { title, text, state, rooms: rooms?.split(","), language } as NewIncident }),
    ({ id }) => printable(`The incident ${id} is open: the status page says so within seconds.`),
  );
  request.one(
    command("update <incident> <text>", "say what is known now").option(
      "--state <state>",
      "investigating, identified, monitoring or resolved; default: as it was",
    ),
    (api, incident: string, text: string, { state }: { readonly state?: State }) =>
      update(api, incident, { text, state } as NewUpdate),
    ({ state }, id) => printable(`The incident ${id} is ${state}.`),
  );
  request.one(
    command("resolve <incident> <text>", "say that it is over, and what it was"),
    (api, incident: string, text: string) => update(api, incident, { text, state: "resolved" }),
    (_, id) => printable(`The incident ${id} is resolved. The status page has it for 14 days more.`),
  );
  request.one(
    command("delete <incident>", "take one off the status page"),
    (api, incident: string) => api.DELETE("/admin/incidents/{incident}", { params: { path: { incident } } }),
    (_, id) => printable(`The incident ${id} is deleted.`),
  );
  addExamples(
    program,
    "usher incidents list",
    'usher incidents open "Payment is slow" "We are looking into it. Your place is kept." --rooms tickets',
    'usher incidents update 7 "We have found the cause." --state identified',
    'usher incidents resolve 7 "Payment works again."',
    "usher incidents delete 7",
  );
}

function update(api: AdminClient, incident: string, body: NewUpdate) {
  return api.POST("/admin/incidents/{incident}/updates", { params: { path: { incident } }, body });
}

const columns = ["INCIDENT", "STATE", "OPENED", "ROOMS", "TITLE", "UPDATES"];

function rowOf({ id, state, opened_at, rooms, title, updates }: Incident): string[] {
  return [id, state, opened_at, rooms?.join(",") ?? "all", title, String(updates.length)];
}
