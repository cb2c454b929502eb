import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { addExamples } from "../help.ts";
import { requestCommands, withGatewayRequest } from "../installation/gateway-options.ts";
import { printable, type Terminal, tableOf } from "../terminal.ts";

type ListedKey = AdminAnswers["ApiKey"];
/** As it was written: the gateway knows which roles there are, and names them. */
type NewKey = Pick<ListedKey, "role"> & { id?: string; rooms?: string[]; expires_at?: string; note?: string };

interface AddOptions {
  readonly id?: string;
  readonly role: string;
  readonly rooms?: string;
  readonly expiresAt?: string;
  readonly note?: string;
}

/** `usher api-keys …`: what docs/roles.md does by the admin API. */
export function addApiKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program
    .command("api-keys")
    .description("the admin keys of a running gateway: list, make, rotate, revoke (docs/roles.md)");
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(keys.command(nameAndArguments).description(description));
  const request = requestCommands(terminal, "has the role admin, for all rooms");

  request.list(
    command("list", "all admin keys, without what is secret"),
    (api, query) => api.GET("/admin/api-keys", { params: { query } }),
    (page) => page.keys,
    describe,
  );
  request.one(
    command("add", "make an admin key; its secret is shown this once")
      .requiredOption("--role <role>", "viewer, box_office, operator or admin")
      .option("--id <id>", "its name in logs")
      .option("--rooms <rooms>", "those it is for, with commas; without it all")
      .option("--expires-at <time>", "until when it works, such as 2027-03-02T00:00+01:00")
      .option("--note <note>", "what it is for"),
    (api, { id, role, rooms, expiresAt: expires_at, note }: AddOptions) =>
      api.POST("/admin/api-keys", { body: { id, role, rooms: rooms?.split(","), expires_at, note } as NewKey }),
    (made) => `${describe([made])}\n\n${secretLine(made.secret)}`,
  );
  request.one(
    command("rotate <id>", "give a key another secret, which is shown this once").option(
      "--overlap <duration>",
      "how long the secret before it works on, 0s to 30d",
      "24h",
    ),
    (api, key: string, { overlap }: { readonly overlap: string }) =>
      api.POST("/admin/api-keys/{key}/rotate", { params: { path: { key } }, body: { overlap } }),
    ({ secret, previous_secret_expires_at: end }) => {
      const before = end === null ? "The secret before it works no more." : `The secret before it works until ${end}.`;
      return `${printable(before)}\n\n${secretLine(secret)}`;
    },
  );
  request.one(
    command("revoke <id>", "a key is worth nothing from now on"),
    (api, key: string) => api.DELETE("/admin/api-keys/{key}", { params: { path: { key } } }),
    (_, id) => `The key ${id} is revoked.`,
  );
  addExamples(
    program,
    "usher api-keys list",
    "usher api-keys add --role box_office --id kim --rooms tickets",
    "usher api-keys rotate kim --overlap 1h",
    "usher api-keys revoke kim",
  );
}

function secretLine(secret: string): string {
  return printable(`Its secret, which is not shown again: ${secret}`);
}

function describe(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return "There are no admin keys.";
  const rows = keys.map((key) => [
    key.id,
    key.role,
    key.rooms?.join(",") ?? "all",
    key.status,
    key.source,
    key.expires_at ?? "-",
    key.created_by ?? "-",
    key.note ?? "-",
  ]);
  return tableOf([["KEY", "ROLE", "ROOMS", "STATUS", "SOURCE", "EXPIRES", "MADE BY", "NOTE"], ...rows]);
}
