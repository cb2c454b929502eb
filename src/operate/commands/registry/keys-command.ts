import type { Command } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { addExamples } from "../help.ts";
import { requestCommands, withGatewayRequest } from "../installation/gateway-options.ts";
import { printable, type Terminal, tableOf } from "../terminal.ts";

type ListedKey = AdminAnswers["Key"];
/** As it was written: the gateway knows which there are, and names them. */
type NewKey = { purpose: ListedKey["purpose"]; alg?: "RS256" | "PS256" | "ES256" | "EdDSA"; issuer?: string };

/** `usher keys …`: what docs/keys.md does by the admin API. */
export function addKeysCommand(program: Command, terminal: Terminal): void {
  const keys = program.command("keys").description("the keys of a running gateway: list, make, rotate (docs/keys.md)");
  const command = (nameAndArguments: string, description: string) =>
    withGatewayRequest(keys.command(nameAndArguments).description(description));
  const request = requestCommands(terminal, "has the role admin, for all rooms");

  request.list(
    command("list", "all keys, without what is secret")
      .option("--issuer <issuer>", "of this issuer only")
      .option("--purpose <purpose>", "signing, tickets, cookies or draw"),
    (api, cursor, { issuer, purpose }: NewKey) =>
      api.GET("/admin/keys", { params: { query: { issuer, purpose, ...cursor } as NewKey } }),
    (page) => page.keys,
    describeKeys,
  );
  request.one(
    command("generate", "make a key, which signs nothing yet")
      .requiredOption("--purpose <purpose>", "signing, tickets, cookies or draw")
      .option("--alg <alg>", "of a key for signing: RS256, PS256, ES256 or EdDSA")
      .option("--issuer <issuer>", "where there are several"),
    (api, { purpose, alg, issuer }: NewKey) => api.POST("/admin/keys", { body: { purpose, alg, issuer } as NewKey }),
    describeKey,
  );

  /** An id that looks like an option is reported as one, which does not help an operator who has copied it. */
  const ofKey = (step: string, description: string) =>
    command(`${step} <kid>`, description).configureOutput({
      outputError: (message, write) => write(message + hintAtHyphens(message, step)),
    });
  request.one(
    ofKey("stage", "publish a new key and verify with it"),
    (api, kid: string) => api.POST("/admin/keys/{kid}/stage", { params: { path: { kid } } }),
    describeKey,
  );
  for (const [step, description] of [
    ["promote", "sign with a staged key; the one that signed before is verified with"],
    ["retire", "a key that signs no more is worth nothing from now on"],
  ] as const) {
    request.one(
      ofKey(step, description).option("--force", "before its time: for a key that leaked", false),
      (api, kid: string, { force }: { readonly force: boolean }) =>
        api.POST(`/admin/keys/{kid}/${step}`, { params: { path: { kid } }, body: { force } }),
      describeKey,
    );
  }
  addExamples(
    program,
    "usher keys list --purpose signing",
    "usher keys generate --purpose signing --alg ES256",
    "usher keys stage 2027-03-signing",
    "usher keys promote 2027-03-signing",
    "usher keys retire 2026-03-signing",
  );
}

function hintAtHyphens(message: string, step: string): string {
  if (!message.includes("unknown option '-")) return "";
  return `The id of a key that begins with a hyphen goes behind --: usher keys ${step} -- KEY\n`;
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
