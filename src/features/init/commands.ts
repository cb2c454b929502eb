import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { systemRandom } from "../../lib/clock-and-random.ts";
import { type DraftFile, draftOf } from "../../lib/draft-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, type Terminal } from "../../operate/commands/terminal.ts";
import { renderSnippet } from "../snippets/render.ts";
import { type InitOptions, readAnswers } from "./answers.ts";
import {
  type Answers,
  CLIENT_SECRET_NAME,
  clientIdOf,
  PARTY_STARTS,
  START_PARTIES,
  writeConfiguration,
} from "./configuration.ts";

/** `usher init`: a first configuration, its secrets, and what is set at the relying party. */
export function addInitCommand(program: Command, { ask, print }: Terminal): void {
  program
    .command("init")
    .description("write a first usher.yaml, usher.env with fresh secrets, and what is set at the relying party")
    .option("--issuer <url>", "public address of Usher")
    .option("--relying-party <name>", `one of ${START_PARTIES.join(", ")}`)
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
      const answers = await readAnswers(options, ask);
      const { files, warnings } = await makeFiles(answers, places);
      const there = files.map(({ path }) => path).filter(existsSync);
      if (there.length > 0 && !options.replace) throw isThere(there);
      await writeFiles(files, options.replace === true);
      for (const warning of warnings) print(`warning: ${warning}`);
      print(nextSteps(answers, files));
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
  const { issuer, party, site, redirectUri, room, store } = answers;
  const text = writeConfiguration(answers);
  const env = {
    USHER_ADMIN_API_KEY: freshSecret(),
    [CLIENT_SECRET_NAME]: freshSecret(),
    ...(store === "redis" && { USHER_REDIS_URL: "redis://127.0.0.1:6379/0" }),
  };
  const { loadConfig } = await import("../../config/index.ts");
  const { config, warnings } = await loadConfig({ text, file: places("usher.yaml"), env, parts: [] });
  const { admission } = config.issuers[0]?.rooms[0]?.settings ?? {};
  const { refreshTokens } = config.issuers[0]?.clients[0] ?? {};
  const snippet = renderSnippet(party, {
    issuer,
    clientId: clientIdOf(answers),
    redirectUri,
    site,
    rooms: [room],
    admissionMs: admission?.durationMs ?? 0,
    refreshTokens: refreshTokens ?? false,
  });
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  const files: NewFile[] = [
    { path: places("usher.yaml"), text, mode: 0o644 },
    { path: places("usher.env"), text: variables.join(""), mode: 0o600 },
    { path: places(PARTY_STARTS[party].fileName), text: snippet, mode: 0o644 },
  ];
  return { files, warnings };
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

function nextSteps({ party, store, adminPort }: Answers, [yaml, env, snippet]: readonly NewFile[]): string {
  return [
    `Written: ${yaml?.path}, ${env?.path} (secrets: keep it to yourself), ${snippet?.path}`,
    "",
    ...(store === "redis" ? [`Set USHER_REDIS_URL in ${env?.path} to your Redis first.`] : []),
    "Serve the room:",
    `  set -a; . ${env?.path.startsWith("/") ? "" : "./"}${env?.path}; set +a`,
    `  usher serve --config ${yaml?.path}`,
    `Ask it from a second terminal with the same variables:`,
    `  usher status --url http://127.0.0.1:${adminPort}`,
    `At the relying party: ${snippet?.path}, with ${CLIENT_SECRET_NAME} as the client's secret; the steps: docs/relying-parties/${party}.md`,
  ].join("\n");
}
