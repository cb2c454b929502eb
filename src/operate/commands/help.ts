/** How `usher --help` reads: commands in groups, each with an example; and what is said where a command was called wrongly. */
import type { Command } from "commander";

/** The groups of the help, in their order. */
const groups = {
  start: { title: "Start", example: "usher serve usher.yaml" },
  run: { title: "Run a room", example: "usher pause tickets" },
  "set up": { title: "Set up", example: "usher clients list --url http://127.0.0.1:3100" },
  check: { title: "Check", example: "usher check usher.yaml" },
} as const;

export type HelpGroup = keyof typeof groups;
export const HELP_GROUPS = Object.keys(groups) as HelpGroup[];

const headingOf = (title: string) => `${title}:`;

/** The commands that are added from now on stand in this group. */
export function beginGroup(program: Command, group: HelpGroup): void {
  program.commandsGroup(headingOf(groups[group].title));
  // It stands in the first one.
  if (group === HELP_GROUPS[0]) program.helpCommand("help [command]", "show the help of a command");
}

/**
 * Puts each line, a whole command, behind the help of the command that it calls.
 *
 * @throws Error for a line that calls none
 */
export function addExamples(program: Command, ...lines: readonly string[]): void {
  const explained = new Set<Command>([program]);
  for (const line of lines) {
    const [name, ...words] = line.split(" ");
    const called = commandAt(program, words);
    if (name !== "usher" || called === program) throw new Error(`${line} calls no command`);
    // One that only has others below it shows the first of theirs.
    for (let each: Command | null = called; each !== null && !explained.has(each); each = each.parent) {
      each.addHelpText("after", `\nExample:\n  ${line}`);
      explained.add(each);
    }
  }
}

function commandAt(command: Command, [word, ...more]: readonly string[]): Command {
  const below = command.commands.find((each) => each.name() === word);
  return below === undefined ? command : commandAt(below, more);
}

/** What all commands have of the program: they take it over when they are added, so this comes first. */
export function beginHelp(program: Command): void {
  program.configureHelp({
    // Options are in the help of each command.
    subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(termOf)].join(" "),
    // Among all others a command has the beginning of what its own help says.
    subcommandDescription: (command) =>
      command.parent === program ? (command.description().split(/; |: | \(/)[0] ?? "") : command.description(),
    formatItemList: (heading, items, helper) => {
      if (items.length === 0) return [];
      const group = Object.values(groups).find(({ title }) => headingOf(title) === heading);
      const example = group === undefined ? [] : ["", `  Example: ${group.example}`];
      return [helper.styleTitle(heading), ...items, ...example, ""];
    },
  });
  program.addHelpText("after", "\nusher COMMAND --help tells more of one, with an example.");
}

/** Once all are there: an error in calling one is followed by how it is called. */
export function endHelp(program: Command): void {
  for (const command of program.commands) sayHow(command, `${program.name()} ${command.name()}`);
}

function sayHow(command: Command, name: string): void {
  command.showHelpAfterError(`usage: ${name} ${command.usage()}\n${name} --help explains it, with an example`);
  for (const below of command.commands) sayHow(below, `${name} ${below.name()}`);
}

function termOf(argument: Command["registeredArguments"][number]): string {
  const term = `${argument.name()}${argument.variadic ? "..." : ""}`;
  return argument.required ? `<${term}>` : `[${term}]`;
}
