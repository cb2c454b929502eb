import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import type { UsherConfig } from "../../config/index.ts";
import { systemRandom } from "../../lib/clock-and-random.ts";
import { type DraftFile, draftOf } from "../../lib/draft-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { type HowCalled, howCalled, shellWord } from "../../operate/commands/how-called.ts";
import { CommandError, type Terminal } from "../../operate/commands/terminal.ts";
import { isForwardAuthProxy, renderForwardAuth } from "../snippets/forward-auth.ts";
import { renderSnippet } from "../snippets/render.ts";
import { type InitOptions, readAnswers } from "./answers.ts";
import {
  type Answers,
  CLIENT_SECRET_NAME,
  clientIdOf,
  gatewayOf,
  PARTY_STARTS,
  pageOf,
  START_PARTIES,
  writeConfiguration,
} from "./configuration.ts";

/** `usher init`: a first configuration, its secrets, and what is set at the relying party. */
export function addInitCommand(program: Command, { ask, print, packageDir }: Terminal): void {
  program
    .command("init")
    .description("write a first usher.yaml, usher.env with fresh secrets, and what is set at the relying party")
    .option("--issuer <url>", "public address of Usher")
    .option("--relying-party <name>", `one of ${START_PARTIES.join(", ")} (default: nginx)`)
    .option("--site <url>", "address of the site that is protected")
    .option("--redirect-uri <url>", "where the relying party takes answers, if not where its guide has it")
    .option("--room <id>", "id of the room (default: tickets)")
    .option("--rate <visitors>", "how many may enter in a minute (default: 60)")
    .option("--store <kind>", "memory or redis (default: memory)")
    .option("--admin-port <port>", "where operators ask, on this computer only", "3100")
    .option("--out <directory>", "where the files are written", ".")
    .option("--replace", "replace files that are there, with their secrets")
    .action(async (options: InitOptions) => {
      const places = (fileName: string) => join(options.out, fileName);
      const always = [places("usher.yaml"), places("usher.env")].filter(existsSync);
      if (always.length > 0 && !options.replace) throw isThere(always);
      const called = howCalled(packageDir, process.cwd());
      const answers = await readAnswers(options, ask, called.where === "container");
      const { files, warnings } = await makeFiles(answers, places);
      const there = files.map(({ path }) => path).filter(existsSync);
      if (there.length > 0 && !options.replace) throw isThere(there);
      await writeFiles(files, options.replace === true);
      for (const warning of warnings) print(`warning: ${warning}`);
      print(nextSteps(answers, files, called));
    });
  addExamples(
    program,
    "usher init --issuer https://queue.example.com --site https://shop.example.com --relying-party nginx",
  );
}

function isThere(paths: readonly string[]): CommandError {
  return new CommandError(
    `${paths.join(", ")}: there already; choose another --out, or --replace. Nothing was written.`,
  );
}

/** @throws ConfigError where the answers make no configuration that starts */
async function makeFiles(answers: Answers, places: (fileName: string) => string) {
  const { party, store } = answers;
  const text = writeConfiguration(answers);
  const env = {
    USHER_ADMIN_API_KEY: freshSecret(),
    ...(!isForwardAuthProxy(party) && { [CLIENT_SECRET_NAME]: freshSecret() }),
    ...(store === "redis" && { USHER_REDIS_URL: "redis://127.0.0.1:6379/0" }),
  };
  const { loadConfig } = await import("../../config/index.ts");
  const { config, warnings } = await loadConfig({ text, file: places("usher.yaml"), env, parts: [] });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  const files: NewFile[] = [
    { path: places("usher.yaml"), text, mode: 0o644 },
    { path: places("usher.env"), text: variables.join(""), mode: 0o600 },
    { path: places(PARTY_STARTS[party].fileName), text: snippetOf(answers, config), mode: 0o644 },
  ];
  return { files, warnings };
}

function snippetOf(answers: Answers, { issuers: [first] }: UsherConfig): string {
  const { issuer, party, site, redirectUri, room } = answers;
  if (isForwardAuthProxy(party)) return renderForwardAuth(party, { room, site, gateway: gatewayOf(answers) });
  const snippet = renderSnippet(party, {
    issuer,
    clientId: clientIdOf(answers),
    redirectUri,
    site,
    rooms: [room],
    admissionMs: first?.rooms[0]?.settings.admission.durationMs ?? 0,
    refreshTokens: first?.clients[0]?.refreshTokens ?? false,
  });
  return party === "wordpress" ? `<?php\n${snippet}` : snippet;
}

interface NewFile {
  readonly path: string;
  readonly text: string;
  /** Of the file, less what the process masks. */
  readonly mode: number;
}

/**
 * Each is whole or not there; one that is there already is only replaced where that is wanted.
 *
 * @throws CommandError
 */
async function writeFiles(files: readonly NewFile[], replaces: boolean): Promise<void> {
  const drafts: DraftFile[] = [];
  try {
    for (const { path, text, mode } of files) {
      await mkdir(dirname(path), { recursive: true });
      const draft = draftOf(path);
      drafts.push(draft);
      await writeFile(draft.path, text, { flag: "wx", mode, flush: true });
    }
    for (const draft of drafts) draft.put(replaces);
  } catch (error) {
    const reason = reasonOf(error);
    const path = error instanceof Error && "dest" in error ? error.dest : files[0]?.path;
    if (reason === "EEXIST") throw new CommandError(`${path} is there already: choose another --out, or --replace it`);
    throw new CommandError(`the files cannot be written (${reason})`);
  } finally {
    for (const draft of drafts) draft.drop();
  }
}

/** 256 bits. */
function freshSecret(): string {
  return Buffer.from(systemRandom.bytes(32)).toString("hex");
}

function nextSteps(answers: Answers, files: readonly NewFile[], called: HowCalled): string {
  const [yaml = "", env = "", snippet = ""] = files.map(({ path }) => path);
  const { party, store } = answers;
  const steps =
    called.where === "container" ? inContainer(answers, yaml, env) : onThisMachine(answers, yaml, env, called);
  const secret = isForwardAuthProxy(party) ? "" : `, with ${CLIENT_SECRET_NAME} of ${env} as the client's secret`;
  return [
    `Written: ${yaml}, ${env} (secrets: keep it to yourself), ${snippet}`,
    "",
    ...(store === "redis" ? [`Set USHER_REDIS_URL in ${env} to your Redis first.`] : []),
    ...steps,
    `At ${PARTY_STARTS[party].about}: ${snippet}${secret}; the other steps: ${pageOf(party)}`,
  ].join("\n");
}

function onThisMachine({ adminPort }: Answers, yaml: string, env: string, { command }: HowCalled): string[] {
  // Without a slash a shell looks for it elsewhere.
  const sourced = shellWord(env.startsWith("/") ? env : `./${env}`);
  return [
    "Serve the room:",
    `  set -a; . ${sourced}; set +a`,
    `  ${command} serve ${shellWord(yaml)}`,
    "Ask it from a second terminal with the same variables:",
    `  ${command} status --url http://127.0.0.1:${adminPort}`,
  ];
}

/** For the shell of its host, which has the files where they were mounted. */
function inContainer({ issuer, adminPort }: Answers, yaml: string, env: string): string[] {
  const port = new URL(issuer).protocol === "http:" ? new URL(issuer).port || "80" : "3000";
  const [yamlName, envName] = [basename(yaml), basename(env)];
  return [
    "Serve the room, from the folder of these files on the host (usher is the name of the image):",
    `  docker run -d --name usher --env-file ${envName} -p 127.0.0.1:${port}:${port} -v usher:/var/lib/usher -v "$PWD/${yamlName}:/etc/usher/usher.yaml:ro" usher`,
    "Ask it:",
    `  docker exec usher node dist/main.js status --url http://127.0.0.1:${adminPort}`,
  ];
}
