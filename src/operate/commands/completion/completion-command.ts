import { Argument, type Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { placesOf } from "./places.ts";
import { zshScript } from "./zsh.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** `usher completion`: what a shell needs to complete commands and options, from the commands themselves. */
export function addCompletionCommand(program: Command, { print }: Terminal): void {
  program
    .command("completion")
    .description("print what completes commands and options in a shell: source <(usher completion bash)")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => print(SCRIPTS[shell](program.name(), placesOf(program))));
}
