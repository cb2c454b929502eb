/** What a shell completes: which words and options may stand where is read from the commands themselves, and written as each shell takes it. */

import { Argument, type Command, type Option } from "commander";
import { addExamples } from "./help.ts";
import type { Terminal } from "./terminal.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof SCRIPTS;

/** `usher completion`: what a shell needs to complete commands and options, from the commands themselves. */
export function addCompletionCommand(program: Command, { print }: Terminal): void {
  program
    .command("completion")
    .description("print what completes commands and options in a shell: source <(usher completion bash)")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => print(SCRIPTS[shell](program.name(), placesOf(program))));
  addExamples(program, "usher completion bash");
}

/** What is offered, and what it is for. */
interface Word {
  readonly text: string;
  readonly description: string;
  /** Of an option that a value follows. */
  readonly isValued: boolean;
}

interface Place {
  /** The commands that lead there, each with a blank before it. */
  readonly path: string;
  /** Commands below it, and the values of an argument that has some. */
  readonly words: readonly Word[];
  /** With their hyphens. */
  readonly options: readonly Word[];
}

function placesOf(command: Command, path = ""): Place[] {
  const { commands, options, registeredArguments } = command;
  const choices = registeredArguments.flatMap(({ argChoices, description }) =>
    (argChoices ?? []).map((text) => ({ text, description, isValued: false })),
  );
  const below = commands.map((each) => ({ text: each.name(), description: each.description(), isValued: false }));
  const help = { text: "--help", description: "display help for command", isValued: false };
  const here = {
    path,
    words: [...below, ...choices],
    options: [...options.filter(({ hidden }) => !hidden).flatMap(wordOf), help],
  };
  return [here, ...commands.flatMap((each) => placesOf(each, `${path} ${each.name()}`))];
}

function wordOf({ long, description, required, optional }: Option): Word[] {
  return long ? [{ text: long, description, isValued: required || optional }] : [];
}

/** All but the first, which no word leads to. */
function pathsOf(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path }) => (path === "" ? [] : [path]));
}

/** An option that a value follows, as `PATH:OPTION`. */
function valuedOf(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ text, isValued }) => (isValued ? [`${path}:${text}`] : [])),
  );
}

/** Where nothing is known, such as behind an option with a value, bash completes names of files. */
function bashScript(name: string, places: readonly Place[]): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join("|");
  const texts = ({ words, options }: Place) => [...words, ...options].map(({ text }) => text).join(" ");
  return [
    `_${name}() {`,
    "  local path='' words='' index",
    "  COMPREPLY=()",
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${quoted(pathsOf(places))}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    `  case "$path:\${COMP_WORDS[COMP_CWORD - 1]}" in`,
    `    ${quoted(valuedOf(places))}) return ;;`,
    "  esac",
    '  case "$path" in',
    ...places.map((place) => `    "${place.path}") words='${texts(place)}' ;;`),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    `complete -o default -F _${name} ${name}`,
  ].join("\n");
}

/**
 * For the completion system of zsh (`compinit`). What is offered comes with its description; where nothing is known, zsh completes
 * names of files. `path` is a name of zsh's own.
 */
function zshScript(name: string, places: readonly Place[]): string {
  const alternatives = (texts: readonly string[]) => texts.map(quotedInZsh).join("|");
  return [
    `#compdef ${name}`,
    `_${name}() {`,
    "  local at='' index",
    "  local -a offered",
    "  for ((index = 2; index < CURRENT; index++)); do",
    '    case "$at $words[index]" in',
    `      (${alternatives(pathsOf(places))}) at="$at $words[index]" ;;`,
    "    esac",
    "  done",
    '  case "$at:$words[CURRENT-1]" in',
    `    (${alternatives(valuedOf(places))}) _files; return ;;`,
    "  esac",
    '  case "$at" in',
    ...places.map(({ path, words, options }) => {
      const offered = [...words, ...options].map(described).join(" ");
      return `    (${quotedInZsh(path)}) offered=(${offered}) ;;`;
    }),
    "  esac",
    `  _describe ${name} offered || _files`,
    "}",
    `compdef _${name} ${name}`,
  ].join("\n");
}

/** As `_describe` has it: a colon of the text itself would end it. */
function described({ text, description }: Word): string {
  return quotedInZsh(description === "" ? text : `${text.replaceAll(":", "\\:")}:${description}`);
}

function quotedInZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Where nothing is known, such as behind an option with a value, fish completes names of files. */
function fishScript(name: string, places: readonly Place[]): string {
  const at = `__${name}_at`;
  const lineOf = ({ path }: Place, arguments_: string, { description }: Word) => {
    const descriptionOption = description === "" ? "" : ` -d ${quotedInFish(description)}`;
    return `complete -c ${name} -n ${quotedInFish(`${at} ${quotedInFish(path)}`)} ${arguments_}${descriptionOption}`;
  };
  return [
    `function ${at}`,
    "    set -l at ''",
    "    for word in (commandline -opc)[2..-1]",
    '        switch "$at $word"',
    `            case ${pathsOf(places).map(quotedInFish).join(" ")}`,
    '                set at "$at $word"',
    "        end",
    "    end",
    '    test "$at" = "$argv[1]"',
    "end",
    `complete -c ${name} -e`,
    ...places.flatMap((place) => [
      ...place.words.map((word) => lineOf(place, `-f -a ${quotedInFish(word.text)}`, word)),
      ...place.options.map((word) => lineOf(place, `-l ${word.text.slice(2)}${word.isValued ? " -r" : ""}`, word)),
    ]),
  ].join("\n");
}

function quotedInFish(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
