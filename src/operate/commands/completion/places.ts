/** What may stand where in a command line, read from the commands themselves. */
import type { Command, Option } from "commander";

/** What is offered, and what it is for. */
export interface Word {
  readonly text: string;
  readonly description: string;
  /** Of an option that a value follows. */
  readonly isValued: boolean;
}

export interface Place {
  /** The commands that lead there, each with a blank before it. */
  readonly path: string;
  /** Commands below it, and the values of an argument that has some. */
  readonly words: readonly Word[];
  /** With their hyphens. */
  readonly options: readonly Word[];
}

export function placesOf(command: Command, path = ""): Place[] {
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
export function pathsOf(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path }) => (path === "" ? [] : [path]));
}

/** An option that a value follows, as `PATH:OPTION`. */
export function valuedOf(places: readonly Place[]): readonly string[] {
  return places.flatMap(({ path, options }) =>
    options.flatMap(({ text, isValued }) => (isValued ? [`${path}:${text}`] : [])),
  );
}
