import { type DestinationStream, type LogFn, type LoggerOptions, type Logger as PinoLogger, pino } from "pino";
import { systemClock } from "./clock-and-random.ts";

/** JSON lines. `event` names what happened in dot form; never a secret, ticket, cookie or code. */
export type Logger = PinoLogger;

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    messageKey: "message",
    // Libraries that log may be told another time; see runByClock.
    timestamp: () => `,"time":"${new Date(systemClock.now()).toISOString()}"`,
    hooks: { logMethod: logInPlainWords },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** A line without words of its own would have those of the error that it carries, which may be a library's. */
function logInPlainWords(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  const [fields, ...words] = args as [unknown, ...unknown[]];
  const isWordless = words.length === 0 && typeof fields === "object" && fields !== null && "err" in fields;
  method.apply(this, isWordless && "event" in fields ? ([fields, String(fields.event)] as Parameters<LogFn>) : args);
}

const printedLengthMax = 200;

/** Whatever a stranger sent, for a log: at most 200 characters of it, none that controls a terminal; without query and fragment. */
export function printableText(text: string): string {
  return (
    text
      .slice(0, printedLengthMax)
      .replace(/[?#].*$/s, "")
      // Somebody pasted it into an address.
      .replace(/\b[cw]1\.[\w.~-]*/g, "(ticket)")
      .replace(/[^\x20-\x7e]/g, "\ufffd")
  );
}
