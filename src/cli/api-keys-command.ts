import type { Command } from "commander";
import type { AdminAnswers } from "../client/index.ts";
import { askGateway, type Gateway, gatewayAt, type Terminal, usualUrl } from "./gateway.ts";
import { tableOf } from "./table.ts";

type ListedKey = AdminAnswers["ApiKey"];
/** As it was written: the gateway knows which roles there are, and names them. */
type NewKey = Pick<ListedKey, "role"> & { id?: string; rooms?: string[]; expires_at?: string; note?: string };

interface CommonOptions {
  readonly url: string;
  readonly json?: true;
}

interface AddOptions extends CommonOptions {
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
    keys
      .command(nameAndArguments)
      .description(description)
      .option("--url <url>", "the gateway; its admin key is taken from USHER_ADMIN_API_KEY", usualUrl(env))
      .option("--json", "print what the gateway answers");

  command("list", "all admin keys, without what is secret").action(async (options: CommonOptions) => {
    const listed = await list(gatewayOf(options));
    print(options.json ? JSON.stringify(listed, null, 2) : describe(listed));
  });

  command("add", "make an admin key; its secret is shown this once")
    .requiredOption("--role <role>", "viewer, box_office, operator or admin")
    .option("--id <id>", "its name in logs")
    .option("--rooms <rooms>", "those it is for, with commas; without it all")
    .option("--expires-at <time>", "until when it works, such as 2027-03-02T00:00+01:00")
    .option("--note <note>", "what it is for")
    .action(async ({ id, role, rooms, expiresAt: expires_at, note, ...options }: AddOptions) => {
      const body = { id, role, rooms: rooms?.split(","), expires_at, note } as NewKey;
      const made = await askGateway(gatewayOf(options), (client) => client.POST("/admin/api-keys", { body }));
      print(options.json ? JSON.stringify(made, null, 2) : `${describe([made])}\n\n${secretLine(made.secret)}`);
    });

  command("rotate <id>", "give a key another secret, which is shown this once")
    .option("--overlap <duration>", "how long the secret before it works on, 0s to 30d", "24h")
    .action(async (id: string, { overlap, ...options }: CommonOptions & { overlap: string }) => {
      const request = { params: { path: { key: id } }, body: { overlap } };
      const rotated = await askGateway(gatewayOf(options), (client) =>
        client.POST("/admin/api-keys/{key}/rotate", request),
      );
      const { secret, previous_secret_expires_at: end } = rotated;
      const before = end === null ? "The secret before it works no more." : `The secret before it works until ${end}.`;
      print(options.json ? JSON.stringify(rotated, null, 2) : `${before}\n\n${secretLine(secret)}`);
    });

  command("revoke <id>", "a key is worth nothing from now on").action(async (id: string, options: CommonOptions) => {
    const params = { path: { key: id } };
    await askGateway(gatewayOf(options), (client) => client.DELETE("/admin/api-keys/{key}", { params }));
    print(options.json ? "{}" : `The key ${id} is revoked.`);
  });

  /** @throws CommandError */
  function gatewayOf({ url }: CommonOptions): Gateway {
    return gatewayAt(url, env, "has the role admin, for all rooms");
  }
}

function secretLine(secret: string): string {
  return `Its secret, which is not shown again: ${secret}`;
}

/** All pages of the list. */
async function list(gateway: Gateway): Promise<ListedKey[]> {
  const found: ListedKey[] = [];
  let cursor: string | null = "0";
  while (cursor !== null) {
    const query: { cursor: string } = { cursor };
    const page: { keys: ListedKey[]; next_cursor: string | null } = await askGateway(gateway, (client) =>
      client.GET("/admin/api-keys", { params: { query } }),
    );
    found.push(...page.keys);
    cursor = page.next_cursor;
  }
  return found;
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
