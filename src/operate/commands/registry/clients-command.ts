import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { allPages, askGateway } from "../gateway.ts";
import { type AskingOptions, gatewayOf, withAsking } from "../installation/gateway-options.ts";
import { tableOf } from "../table.ts";
import { jsonText, type Terminal } from "../terminal.ts";

type Client = AdminAnswers["Client"];

/** `usher clients`: the relying parties of an installation. */
export function addClientsCommand(program: Command, { env, print }: Terminal): void {
  const clients = program.command("clients").description("the relying parties of a running gateway (docs/clients.md)");
  const right = "has the role admin, for all rooms";

  withAsking(clients.command("list").description("all of them")).action(async (options: AskingOptions) => {
    const pages = await allPages(gatewayOf(options, env, right), (client, query) =>
      client.GET("/admin/clients", { params: { query } }),
    );
    const found = pages.flatMap((page) => page.clients);
    if (options.json) print(jsonText(found));
    else print(found.length === 0 ? "There are no clients." : tableOf([columns, ...found.map(rowOf)]));
  });

  withAsking(clients.command("show <client>").description("one, without its secrets")).action(
    async (id: string, options: AskingOptions) => {
      const gateway = gatewayOf(options, env, right);
      const params = { path: { client: id } };
      const found = await askGateway(gateway, (client) => client.GET("/admin/clients/{client}", { params }));
      print(options.json ? jsonText(found) : describe(found));
    },
  );
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
