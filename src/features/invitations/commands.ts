import { writeFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { RoomConfig } from "../../config/index.ts";
import { systemClock } from "../../lib/clock-and-random.ts";
import { readFileUpTo } from "../../lib/read-file.ts";
import { reasonOf } from "../../lib/reason.ts";
import { configFileOf, withConfig } from "../../operate/commands/config-file.ts";
import { addExamples } from "../../operate/commands/help.ts";
import { CommandError, type Terminal } from "../../operate/commands/terminal.ts";
import { type Person, readPeople } from "./read-people.ts";
import type { InvitationSigner, InvitationSignerOptions } from "./tokens.ts";

/** Some millions of people. */
const peopleBytesMax = 512 * 1_000_000;

interface Options {
  readonly config?: string;
  readonly room: string;
  readonly keyColumn: string;
  readonly classColumn: string;
  readonly expiresColumn: string;
  readonly expires: number;
  readonly target?: string;
  readonly privateKey?: string;
  readonly out?: string;
}

const dayMs = 86_400_000;
const usualDays = 30;
const daysMax = 366;
/** Signed side by side. */
const atOnce = 1_000;

/** `usher invite FILE`: makes a link for each person of a CSV file (docs/invitations.md). Asks no gateway. */
export function addInviteCommand(
  program: Command,
  { env, parts, print }: Pick<Terminal, "env" | "parts" | "print">,
): void {
  withConfig(program.command("invite <file>"))
    .description("make a link of invitation for each row of a CSV file; prints the file with a column link")
    .requiredOption("--room <room>", "the room, one with entry: invited")
    .option("--key-column <name>", "column of what names one person and nobody else", "email")
    .option("--class-column <name>", "column of the class of the invitation, if there is one", "class")
    .option("--expires-column <name>", "column of when it ends, if there is one", "expires")
    .option("--expires <days>", "days after which the others end", readDays, usualDays)
    .option("--target <url>", "where the links lead to after the wait, one of the room's targets; default: the first")
    .option("--private-key <file>", "PEM or JWK to sign with, where the room has public keys in place of a secret")
    .option("--out <file>", "write into a new file that only you can read, in place of printing")
    .action(async (file: string, options: Options) => {
      const { loadConfig } = await import("../../config/index.ts");
      const configFile = configFileOf(options);
      const { config } = await loadConfig({ file: configFile, env, parts });
      const found = config.issuers
        .flatMap(({ issuer, rooms }) => rooms.map((room) => ({ issuer, room })))
        .find(({ room }) => room.id === options.room);
      if (found === undefined) throw new CommandError(`there is no room ${options.room} in ${configFile}`);
      const { issuer, room } = found;
      if (room.invitations === null) throw new CommandError(`the room ${room.id} is open to everybody (entry: open)`);
      const nowMs = systemClock.now();
      const classes = room.invitations.classes.map(({ id }) => id);
      const columns = { key: options.keyColumn, class: options.classColumn, expires: options.expiresColumn };
      const { header, people } = await readPeople(await readText(file), columns, classes, nowMs);
      const signer = await signerFor(issuer, room, room.invitations, options);
      const links = await linksFor(signer, people, nowMs + options.expires * dayMs);
      const { stringify } = await import("csv-stringify/sync");
      const rows = people.map(({ row }, index) => [...row, links[index] ?? ""]);
      const text = stringify([[...header, "link"], ...rows]);
      if (options.out === undefined) return print(text.replace(/\n$/, ""));
      await writeNew(options.out, text);
      print(
        `${people.length} invitations are in ${options.out}. Each opens the room to whoever has it: send it to that person alone.`,
      );
    });
  addExamples(program, "usher invite fans.csv --room presale --config usher.yaml --out links.csv");
}

async function signerFor(
  issuer: string,
  room: RoomConfig,
  { secrets, issuer: from }: NonNullable<RoomConfig["invitations"]>,
  { privateKey, target }: Options,
): Promise<InvitationSigner> {
  const { createInvitationSigner, InvitationError } = await import("./tokens.ts");
  const [secret] = secrets;
  if (secret === undefined && privateKey === undefined) {
    throw new CommandError(
      "the room has public keys alone: name the private key that invitations are signed with (--private-key)",
    );
  }
  if (secret !== undefined && privateKey !== undefined)
    throw new CommandError("the room has a secret: leave --private-key out");
  const key: InvitationSignerOptions["key"] =
    secret === undefined ? { privateKey: privateKeyOf(await readText(privateKey ?? "")) } : { secret };
  try {
    const more = { ...(from !== undefined && { from }), ...(target !== undefined && { target }) };
    return createInvitationSigner({ issuer, room: room.id, key, ...more });
  } catch (error) {
    if (error instanceof InvitationError) throw new CommandError(error.message);
    throw error;
  }
}

function privateKeyOf(text: string): string | Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return text;
  }
}

async function linksFor(signer: InvitationSigner, people: readonly Person[], usualMs: number): Promise<string[]> {
  const links: string[] = [];
  for (let from = 0; from < people.length; from += atOnce) {
    const some = people.slice(from, from + atOnce).map(async ({ line, key, classId, expiresMs }) => {
      try {
        return await signer.link({ key, class: classId, expiresAt: new Date(expiresMs ?? usualMs) });
      } catch (error) {
        throw new CommandError(`line ${line}: ${error instanceof Error ? error.message : String(error)}`);
      }
    });
    links.push(...(await Promise.all(some)));
  }
  return links;
}

function readDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,3}$/.test(text) || days < 1 || days > daysMax) {
    throw new InvalidArgumentError(`expected days, from 1 to ${daysMax}`);
  }
  return days;
}

async function readText(path: string): Promise<string> {
  try {
    return (await readFileUpTo(path, peopleBytesMax)).toString("utf8");
  } catch (error) {
    const reason = reasonOf(error);
    throw new CommandError(reason === "ENOENT" ? `there is no file ${path}` : `${path} cannot be read (${reason})`);
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "EEXIST") throw new CommandError(`${path} is there already: choose another --out`);
    throw new CommandError(`${path} cannot be written (${reason})`);
  }
}
