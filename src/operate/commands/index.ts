/**
 * Commands that ask a running gateway, as an operator would by its admin API, or check what it has published, as a visitor
 * would, and those that read an exported log. They use nothing of what serves rooms but the
 * reading of its configuration. Called by command.ts, which prints
 * their answers and ends the process.
 *
 * `installation/` knows which gateway is meant, `rooms/` is what operators do with rooms, `registry/` with clients and keys,
 * `records/` shows what was changed, logged and drawn, `events/` what happens.
 */
import type { Command } from "commander";
import { addAdoptCommand } from "./adopt-command.ts";
import { addCheckCommand } from "./check-command.ts";
import { addCompletionCommand } from "./completion-command.ts";
import { addEventsCommand } from "./events/events-command.ts";
import type { StoreTools } from "./findings.ts";
import { beginGroup, beginHelp, endHelp, HELP_GROUPS, type HelpGroup } from "./help.ts";
import { addContextCommand } from "./installation/context-command.ts";
import { addAuditCommand } from "./records/audit-command.ts";
import { addVerifyLogCommand } from "./records/verify-log-command.ts";
import { addApiKeysCommand } from "./registry/api-keys-command.ts";
import { addClientsCommand } from "./registry/clients-command.ts";
import { addKeysCommand } from "./registry/keys-command.ts";
import { addChangeCommands } from "./rooms/change-commands.ts";
import { addStatusCommand } from "./rooms/status-command.ts";
import { addStepCommands } from "./rooms/step-commands.ts";
import { addVisitorCommand } from "./rooms/visitor-command.ts";
import { addWatchCommand } from "./rooms/watch-command.ts";
import type { Terminal } from "./terminal.ts";

export type { StoreTools } from "./findings.ts";
export { CommandError, printable, type Terminal } from "./terminal.ts";

/** What a command is run with: where it is run, and what it may do with the stores of a configuration. */
type AddCommand = (program: Command, terminal: Terminal, stores: StoreTools) => void;

/** What is added to `usher` from outside of this folder. It stands behind the frame's own commands of its group of the help. */
export interface FeatureCommand {
  readonly group: HelpGroup;
  readonly add: AddCommand;
}

/** The commands that belong to no feature. */
const FRAME_COMMANDS: Readonly<Record<HelpGroup, readonly AddCommand[]>> = {
  start: [],
  run: [addStatusCommand, addWatchCommand, addStepCommands, addChangeCommands, addVisitorCommand, addEventsCommand],
  "set up": [
    addContextCommand,
    addClientsCommand,
    addKeysCommand,
    addApiKeysCommand,
    addAdoptCommand,
    addCompletionCommand,
  ],
  check: [addCheckCommand, addAuditCommand, addVerifyLogCommand],
};

/** Adds all of them, in the order of the help. @param features in the composition root's order */
export function addCommands(
  program: Command,
  terminal: Terminal,
  stores: StoreTools,
  features: readonly FeatureCommand[],
): void {
  beginHelp(program);
  for (const group of HELP_GROUPS) {
    beginGroup(program, group);
    const added = features.filter((feature) => feature.group === group).map(({ add }) => add);
    for (const add of [...FRAME_COMMANDS[group], ...added]) add(program, terminal, stores);
  }
  endHelp(program);
}
