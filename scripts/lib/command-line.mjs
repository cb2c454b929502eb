const COMMANDS = ["serve", "demo", "preview", "keys", "verify-log", "report", "verify-draw", "invite", "help"];

/** The arguments of `usher` for those of `npm start`: the command is added when none is given. */
export function toCommandLine(args) {
  const namesCommand = COMMANDS.includes(args[0]);
  const asksOnly = args.some((arg) => ["--help", "-h", "--version", "-V"].includes(arg));
  if (namesCommand || asksOnly) {
    return args;
  }
  const hasConfig = args.some((arg) => arg === "--config" || arg === "-c" || arg.startsWith("--config="));
  return [hasConfig ? "serve" : "demo", ...args];
}
