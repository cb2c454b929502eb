/**
 * Commands that ask a running gateway, as an operator would by its admin API, or check what it has published, as a visitor
 * would, and those that read an exported log. They use nothing of a gateway's code. Called by command.ts, which prints
 * their answers and ends the process.
 */

export { addApiKeysCommand } from "./api-keys-command.ts";
export { CommandError } from "./gateway.ts";
export { addKeysCommand } from "./keys-command.ts";
export { addLogCommands } from "./log-commands.ts";
export { addVerifyDrawCommand } from "./verify-draw-command.ts";
