import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { allPages, askGateway, type Gateway } from "../gateway.ts";
import { type AskingOptions, gatewayOf, withAsking } from "../installation/gateway-options.ts";
import { tableOf } from "../table.ts";
import { jsonText, printable, type Terminal } from "../terminal.ts";

type ListedKey = AdminAnswers["ApiKey"];
/** As it was written: the gateway knows which roles there are, and names them. */
type NewKey = Pick<ListedKey, "role"> & { id?: string; rooms?: string[]; expires_at?: string; note?: string };

interface AddOptions extends AskingOptions {
  readonly id?: string;
  readonly role: string;
  readonly rooms?: string;
  readonly expiresAt?: string;
  readonly note?: string;
}

/** `usher api-keys …`: what docs/roles.md does by the admin API. */
export function addApiKeysCommand(program: Command, { env, print }: Terminal): void {
  const keys = program
    .command("api-keys")
    .description("the admin keys of a running gateway: list, make, rotate, revoke (docs/roles.md)");
  const command = (nameAndArguments: string, description: string) =>
    withAsking(keys.command(nameAndArguments).description(description));

  command("list", "all admin keys, without what is secret").action(async (options: AskingOptions) => {
    const listed = await list(gatewayFor(options));
    print(options.json ? jsonText(listed) : describe(listed));
  });

  command("add", "make an admin key; its secret is shown this once")
    .requiredOption("--role <role>", "viewer, box_office, operator or admin")
    .option("--id <id>", "its name in logs")
    .option("--rooms <rooms>", "those it is for, with commas; without it all")
    .option("--expires-at <time>", "until when it works, such as 2027-03-02T00:00+01:00")
    .option("--note <note>", "what it is for")
    .action(async ({ id, role, rooms, expiresAt: expires_at, note, ...options }: AddOptions) => {
      const body = { id, role, rooms: rooms?.split(","), expires_at, note } as NewKey;
      const made = await askGateway(gatewayFor(options), (client) => client.POST("/admin/api-keys", { body }));
      print(options.json ? jsonText(made) : `${describe([made])}\n\n${secretLine(made.secret)}`);
    });

  command("rotate <id>", "give a key another secret, which is shown this once")
    .option("--overlap <duration>", "how long the secret before it works on, 0s to 30d", "24h")
    .action(async (id: string, { overlap, ...options }: AskingOptions & { overlap: string }) => {
      const request = { params: { path: { key: id } }, body: { overlap } };
      const rotated = await askGateway(gatewayFor(options), (client) =>
        client.POST("/admin/api-keys/{key}/rotate", request),
      );
      const { secret, previous_secret_expires_at: end } = rotated;
      const before = end === null ? "The secret before it works no more." : `The secret before it works until ${end}.`;
      print(options.json ? jsonText(rotated) : `${printable(before)}\n\n${secretLine(secret)}`);
    });

  command("revoke <id>", "a key is worth nothing from now on").action(async (id: string, options: AskingOptions) => {
    const params = { path: { key: id } };
    await askGateway(gatewayFor(options), (client) => client.DELETE("/admin/api-keys/{key}", { params }));
    print(options.json ? "{}" : `The key ${id} is revoked.`);
  });

  /** @throws CommandError */
  function gatewayFor(options: AskingOptions): Gateway {
    return gatewayOf(options, env, "has the role admin, for all rooms");
  }
}

function secretLine(secret: string): string {
  return printable(`Its secret, which is not shown again: ${secret}`);
}

async function list(gateway: Gateway): Promise<ListedKey[]> {
  const pages = await allPages(gateway, (client, query) => client.GET("/admin/api-keys", { params: { query } }));
  return pages.flatMap(({ keys }) => keys);
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
