import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { addExamples } from "../help.ts";
import { requestCommands, withGatewayRequest } from "../installation/gateway-options.ts";
import type { Terminal } from "../terminal.ts";
import { tableOf } from "../terminal.ts";

type Client = AdminAnswers["Client"];

/** `usher clients`: the relying parties of an installation. */
export function addClientsCommand(program: Command, terminal: Terminal): void {
  const clients = program.command("clients").description("the relying parties of a running gateway (docs/clients.md)");
  const request = requestCommands(terminal, "has the role admin, for all rooms");

  request.list(
    withGatewayRequest(clients.command("list").description("all of them")),
    (api, query) => api.GET("/admin/clients", { params: { query } }),
    (page) => page.clients,
    (found) => (found.length === 0 ? "There are no clients." : tableOf([columns, ...found.map(rowOf)])),
  );
  request.one(
    withGatewayRequest(clients.command("show <client>").description("one, without its secrets")),
    (api, client: string) => api.GET("/admin/clients/{client}", { params: { path: { client } } }),
    describe,
  );
  addExamples(program, "usher clients list", "usher clients show shop-alb");
}

const columns = ["CLIENT", "ROOMS", "PROFILE", "SOURCE", "STATUS", "SECRETS"];

function rowOf({ client_id, source, status, settings, secrets }: Client): string[] {
  return [
    client_id,
    settings?.rooms.join(", ") ?? "-",
    settings?.profile ?? "-",
    source,
    status,
    String(secrets.length),
  ];
}

function describe({ client_id, issuer, source, status, settings, secrets, faults, warnings }: Client): string {
  const settingsRows =
    settings === null
      ? []
      : [
          ["rooms", settings.rooms.join(", ")],
          ["profile", `${settings.profile}; a login is good for ${settings.login_timeout}`],
          ["login begins", settings.initiate_login_uri ?? "-"],
          ...settings.redirect_uris.map((uri) => ["redirect", uri]),
        ];
  return tableOf([
    ["client", `${client_id} (${source}, ${status})`],
    ["issuer", issuer],
    ...settingsRows,
    ...secrets.map(({ created_at, expires_at }) => [
      "secret",
      `made ${created_at ?? "at a time that is not known"}${expires_at === null ? "" : `, works until ${expires_at}`}`,
    ]),
    ...faults.map((fault) => ["fault", fault]),
    ...warnings.map((warning) => ["warning", warning]),
  ]);
}
