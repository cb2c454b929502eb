/** What is no option and no path of a file. A word that is no command is told so by the program. */
const COMMAND = /^[a-z][a-z-]*$/;

/** The arguments of `usher` for those of `npm start`: the command is added when none is given. */
export function toCommandLine(args) {
  const namesCommand = COMMAND.test(args[0] ?? "");
  const asksOnly = args.some((arg) => ["--help", "-h", "--version", "-V"].includes(arg));
  if (namesCommand || asksOnly) {
    return args;
  }
  const hasConfig = args.some((arg) => arg === "--config" || arg === "-c" || arg.startsWith("--config="));
  return [hasConfig ? "serve" : "demo", ...args];
}
