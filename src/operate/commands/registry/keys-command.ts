import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { allPages, askGateway, type Gateway } from "../gateway.ts";
import { type AskingOptions, gatewayOf, withAsking } from "../installation/gateway-options.ts";
import { tableOf } from "../table.ts";
import { jsonText, printable, type Terminal } from "../terminal.ts";

type ListedKey = AdminAnswers["Key"];
/** As it was written: the gateway knows which there are, and names them. */
type NewKey = { purpose: ListedKey["purpose"]; alg?: "RS256" | "PS256" | "ES256"; issuer?: string };

/** `usher keys …`: what docs/keys.md does by the admin API. */
export function addKeysCommand(program: Command, { env, print }: Terminal): void {
  const keys = program.command("keys").description("the keys of a running gateway: list, make, rotate (docs/keys.md)");
  const command = (nameAndArguments: string, description: string) =>
    withAsking(keys.command(nameAndArguments).description(description));

  command("list", "all keys, without what is secret")
    .option("--issuer <issuer>", "of this issuer only")
    .option("--purpose <purpose>", "signing, tickets, cookies or draw")
    .action(async (options: AskingOptions & { issuer?: string; purpose?: string }) => {
      const listed = await list(gatewayFor(options), options);
      print(options.json ? jsonText(listed) : describeKeys(listed));
    });

  command("generate", "make a key, which signs nothing yet")
    .requiredOption("--purpose <purpose>", "signing, tickets, cookies or draw")
    .option("--alg <alg>", "of a key for signing: RS256, PS256 or ES256")
    .option("--issuer <issuer>", "where there are several")
    .action(async (options: AskingOptions & { purpose: string; alg?: string; issuer?: string }) => {
      const { purpose, alg, issuer } = options;
      const body = { purpose, alg, issuer } as NewKey;
      show(await askGateway(gatewayFor(options), (client) => client.POST("/admin/keys", { body })), options);
    });

  /** An id that looks like an option is reported as one, which does not help an operator who has copied it. */
  const ofKey = (step: string, description: string) =>
    command(`${step} <kid>`, description).configureOutput({
      outputError: (message, write) => write(message + hintAtHyphens(message, step)),
    });

  ofKey("stage", "publish a new key and verify with it").action(async (kid: string, options: AskingOptions) => {
    const params = { path: { kid } };
    show(
      await askGateway(gatewayFor(options), (client) => client.POST("/admin/keys/{kid}/stage", { params })),
      options,
    );
  });
  for (const [step, description] of [
    ["promote", "sign with a staged key; the one that signed before is verified with"],
    ["retire", "a key that signs no more is worth nothing from now on"],
  ] as const) {
    ofKey(step, description)
      .option("--force", "before its time: for a key that leaked", false)
      .action(async (kid: string, options: AskingOptions & { force: boolean }) => {
        const request = { params: { path: { kid } }, body: { force: options.force } };
        const answer = askGateway(gatewayFor(options), (client) => client.POST(`/admin/keys/{kid}/${step}`, request));
        show(await answer, options);
      });
  }

  function show(key: ListedKey, { json }: AskingOptions): void {
    print(json ? jsonText(key) : describeKey(key));
  }

  /** @throws CommandError */
  function gatewayFor(options: AskingOptions): Gateway {
    return gatewayOf(options, env, "has the role admin, for all rooms");
  }
}

function hintAtHyphens(message: string, step: string): string {
  if (!message.includes("unknown option '-")) return "";
  return `The id of a key that begins with a hyphen goes behind --: usher keys ${step} -- KEY\n`;
}

async function list(
  gateway: Gateway,
  { issuer, purpose }: { issuer?: string; purpose?: string },
): Promise<ListedKey[]> {
  const filter = { issuer, purpose } as Pick<NewKey, "issuer" | "purpose">;
  const pages = await allPages(gateway, (client, cursor) =>
    client.GET("/admin/keys", { params: { query: { ...filter, ...cursor } } }),
  );
  return pages.flatMap(({ keys }) => keys);
}

/** With the issuer where there are several. */
function describeKeys(keys: readonly ListedKey[]): string {
  if (keys.length === 0) return "There are no such keys.";
  const hasSeveral = new Set(keys.map(({ issuer }) => issuer)).size > 1;
  const head = ["KEY", "PURPOSE", "ALG", "STATE", "SOURCE", "HERE", "MAY PROMOTE", "MAY RETIRE"];
  const rows = keys.map((key) => [
    key.kid,
    key.purpose,
    key.alg ?? "-",
    key.state,
    key.source,
    key.held ? "yes" : "no",
    key.may_promote_at ?? "-",
    key.may_retire_at ?? "-",
    ...(hasSeveral ? [key.issuer] : []),
  ]);
  return tableOf([hasSeveral ? [...head, "ISSUER"] : head, ...rows]);
}

/** The key, and what comes next. */
function describeKey(key: ListedKey): string {
  const next = nextStep(key);
  return next === null ? describeKeys([key]) : `${describeKeys([key])}\n\n${printable(`Next: ${next}`)}`;
}

function nextStep({ kid, state, may_promote_at }: ListedKey): string | null {
  // What begins with a dash would be an option.
  const named = kid.startsWith("-") ? `-- ${kid}` : kid;
  if (state === "new") return `usher keys stage ${named}`;
  if (state === "staged") return `usher keys promote ${named}, from ${may_promote_at} on`;
  if (state === "active") return "usher keys list says from when on the key that signed before may be retired";
  return null;
}
