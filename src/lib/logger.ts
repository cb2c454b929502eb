import { type DestinationStream, type Logger as PinoLogger, pino } from "pino";

/** JSON lines. `event` names what happened in dot form; never a secret, ticket, cookie or code. */
export type Logger = PinoLogger;

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, messageKey: "message", timestamp: pino.stdTimeFunctions.isoTime };
  return destination === undefined ? pino(options) : pino(options, destination);
}
