/**
 * Commands that ask a running gateway, as an operator would by its admin API, or check what it has published, as a visitor
 * would, and those that read an exported log. They know nothing of what goes on in a gateway. Called by command.ts, which prints
 * what they answer and ends the process.
 */

export { CommandError } from "./admin-client.ts";
export { addKeysCommand } from "./keys-command.ts";
export { addLogCommands } from "./log-commands.ts";
export { addVerifyDrawCommand } from "./verify-draw-command.ts";
