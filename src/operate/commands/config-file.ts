import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { UsageError } from "./terminal.ts";

/** Where a configuration is looked for that no command line names: here, as `usher init` writes it, and where packages have it. */
export const USUAL_CONFIG_FILES = ["usher.yaml", "/etc/usher/usher.yaml"] as const;

/** Adds `--config FILE`, by which every command that reads a configuration names it. */
export function withConfig(command: Command): Command {
  const places = USUAL_CONFIG_FILES.join(", else ");
  return command.option("--config <file>", `configuration file (YAML); default: ${places}`);
}

/** The same, and FILE as an argument: for commands that have no other. */
export function withConfigFile(command: Command): Command {
  return withConfig(command.argument("[file]", "configuration file (YAML), as by --config"));
}

/**
 * The configuration file that is meant.
 *
 * @param argument of `withConfigFile`
 * @throws UsageError where none is named, and there is none where it is looked for; and where two are named
 */
export function configFileOf({ config }: { readonly config?: string }, argument?: string): string {
  if (config !== undefined && argument !== undefined && config !== argument) {
    throw new UsageError(`${argument} and --config ${config} are two configuration files: name one`);
  }
  const named = argument ?? config;
  if (named !== undefined) return named;
  const found = USUAL_CONFIG_FILES.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const places = USUAL_CONFIG_FILES.map((file) => resolve(file)).join(" nor ");
  throw new UsageError(
    `There is neither ${places}. Name a configuration file with --config FILE, or write a first one with usher init.`,
  );
}
