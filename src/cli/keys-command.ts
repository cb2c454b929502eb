import type { Command } from "commander";
import { type AdminClient, CommandError, checkedUrl, createAdminClient, usualUrl } from "./admin-client.ts";
import { describeKey, describeKeys, type ListedKey } from "./keys-table.ts";

export interface KeysCommandOptions {
  /** The environment of the process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly print: (text: string) => void;
}

interface CommonOptions {
  readonly url: string;
  readonly json?: true;
}

/** `usher keys …`: what docs/keys.md does by the admin API. */
export function addKeysCommand(program: Command, { env, print }: KeysCommandOptions): void {
  const keys = program.command("keys").description("the keys of a running gateway: list, make, rotate (docs/keys.md)");
  const defaultUrl = usualUrl(env);
  const command = (nameAndArguments: string, description: string) =>
    keys
      .command(nameAndArguments)
      .description(description)
      .option("--url <url>", "the gateway; its admin key is taken from USHER_ADMIN_API_KEY", defaultUrl)
      .option("--json", "print what the gateway answers");

  command("list", "all keys, without what is secret")
    .option("--issuer <issuer>", "of this issuer only")
    .option("--purpose <purpose>", "signing, tickets, cookies or draw")
    .action(async (options: CommonOptions & { issuer?: string; purpose?: string }) => {
      const listed = await list(clientOf(options), options);
      print(options.json ? JSON.stringify(listed, null, 2) : describeKeys(listed));
    });

  command("generate", "make a key, which signs nothing yet")
    .requiredOption("--purpose <purpose>", "signing, tickets, cookies or draw")
    .option("--alg <alg>", "of a key for signing: RS256, PS256 or ES256")
    .option("--issuer <issuer>", "where there are several")
    .action(async (options: CommonOptions & { purpose: string; alg?: string; issuer?: string }) => {
      const { purpose, alg, issuer } = options;
      show(await clientOf(options).ask("POST", "/keys", { purpose, alg, issuer }), options);
    });

  /** An id that looks like an option is reported as one, which does not help an operator who has copied it. */
  const ofKey = (step: string, description: string) =>
    command(`${step} <kid>`, description).configureOutput({
      outputError: (message, write) => write(message + hintAtHyphens(message, step)),
    });

  ofKey("stage", "publish a new key and verify with it").action((kid: string, options: CommonOptions) =>
    take("stage", kid, options, {}),
  );
  for (const [step, description] of [
    ["promote", "sign with a staged key; the one that signed before is verified with"],
    ["retire", "a key that signs no more is worth nothing from now on"],
  ] as const) {
    ofKey(step, description)
      .option("--force", "before its time: for a key that leaked", false)
      .action((kid: string, options: CommonOptions & { force: boolean }) =>
        take(step, kid, options, { force: options.force }),
      );
  }

  async function take(step: string, kid: string, options: CommonOptions, body: object): Promise<void> {
    show(await clientOf(options).ask("POST", `/keys/${encodeURIComponent(kid)}/${step}`, body), options);
  }

  function show(key: unknown, { json }: CommonOptions): void {
    print(json ? JSON.stringify(key, null, 2) : describeKey(key as ListedKey));
  }

  /** @throws CommandError */
  function clientOf({ url }: CommonOptions): AdminClient {
    const key = env.USHER_ADMIN_API_KEY ?? "";
    if (key === "")
      throw new CommandError("set USHER_ADMIN_API_KEY to an admin key of the gateway that has all rights");
    return createAdminClient(checkedUrl(url, defaultUrl), key);
  }
}

function hintAtHyphens(message: string, step: string): string {
  if (!message.includes("unknown option '-")) return "";
  return `The id of a key that begins with a hyphen goes behind --: usher keys ${step} -- KEY\n`;
}

/** All pages of the list. */
async function list(client: AdminClient, filter: { issuer?: string; purpose?: string }): Promise<ListedKey[]> {
  const found: ListedKey[] = [];
  let cursor: string | null = "0";
  while (cursor !== null) {
    const query: URLSearchParams = new URLSearchParams({ cursor });
    if (filter.issuer !== undefined) query.set("issuer", filter.issuer);
    if (filter.purpose !== undefined) query.set("purpose", filter.purpose);
    const page = (await client.ask("GET", `/keys?${query}`)) as { keys: ListedKey[]; next_cursor: string | null };
    found.push(...page.keys);
    cursor = page.next_cursor;
  }
  return found;
}
