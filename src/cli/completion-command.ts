import { Argument, type Command, type Option } from "commander";
import type { Terminal } from "./terminal.ts";

/** `usher completion`: what a shell needs to complete commands and options, from the commands themselves. */
export function addCompletionCommand(program: Command, { print }: Terminal): void {
  program
    .command("completion")
    .description("print what completes commands and options in a shell: source <(usher completion bash)")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash"]))
    .action(() => print(bashScript(program)));
}

interface Place {
  /** The commands that lead there, each with a blank before it. */
  readonly path: string;
  readonly words: readonly string[];
  /** Options that a value follows. */
  readonly valued: readonly string[];
}

function placesOf(command: Command, path = ""): Place[] {
  const { commands, options, registeredArguments } = command;
  const choices = registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);
  const here: Place = {
    path,
    words: [...commands.map((each) => each.name()), ...choices, ...options.flatMap(flagsOf), "--help"],
    valued: options.filter(({ required, optional }) => required || optional).flatMap(flagsOf),
  };
  return [here, ...commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))];
}

function flagsOf({ long }: Option): string[] {
  return long ? [long] : [];
}

/** Where nothing is known, such as behind an option with a value, bash completes names of files. */
function bashScript(program: Command): string {
  const places = placesOf(program);
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  const valued = places.flatMap(({ path, valued }) => valued.map((flag) => `"${path}:${flag}"`));
  const name = program.name();
  return [
    `_${name}() {`,
    "  local path='' words='' index",
    "  COMPREPLY=()",
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${paths.join("|")}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    `  case "$path:\${COMP_WORDS[COMP_CWORD - 1]}" in`,
    `    ${valued.join("|")}) return ;;`,
    "  esac",
    '  case "$path" in',
    ...places.map(({ path, words }) => `    "${path}") words='${words.join(" ")}' ;;`),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    `complete -o default -F _${name} ${name}`,
  ].join("\n");
}
