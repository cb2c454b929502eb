/** How a line moves, as a terminal shows it: a bar, the last minutes as a chart one line high, and when the line ends. */
import { askGateway, type Gateway } from "../gateway.ts";
import { CommandError, figure, type Terminal } from "../terminal.ts";

/** What is known of a room beyond its figures. */
export interface Movement {
  /** Who entered in each of the last minutes, the latest last; null where that is not known. */
  readonly entered: readonly (number | null)[];
  /** Who waited at the end of each. */
  readonly waiting: readonly (number | null)[];
  /** When the line ends as it moves now, ISO 8601; null at either end where that cannot be said. */
  readonly lineEnds: { readonly low: string | null; readonly high: string | null } | null;
}

const minutesShown = 30;

/** Null where the gateway does not say, which is no reason to stop. */
export async function movementOf(gateway: Gateway, room: string): Promise<Movement | null> {
  const path = { room };
  try {
    const [{ steps }, { line_ends_at }] = await Promise.all([
      askGateway(gateway, (client) =>
        client.GET("/admin/rooms/{room}/statistics", { params: { path, query: { step: "1m" } } }),
      ),
      askGateway(gateway, (client) => client.GET("/admin/rooms/{room}/forecast", { params: { path } })),
    ]);
    const lately = steps.slice(-minutesShown);
    return {
      entered: lately.map(({ admitted: { queue, bypass, without_line } }) => sumOf([queue, bypass, without_line])),
      waiting: lately.map(({ waiting }) => waiting),
      lineEnds: line_ends_at,
    };
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}

function sumOf(counts: readonly (number | null)[]): number | null {
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0 as number | null);
}

/** So much of a line of blocks as has been served. @param width in characters */
export function barOf(served: number, all: number, width: number): string {
  const share = all <= 0 ? 0 : Math.min(1, Math.max(0, served / all));
  // Full only when nobody is left, and empty only when nobody was served.
  const filled = share === 1 ? width : Math.min(width - 1, Math.max(share > 0 ? 1 : 0, Math.round(share * width)));
  return "█".repeat(filled) + "░".repeat(width - filled);
}

const heights = [..."▁▂▃▄▅▆▇█"];

/** A column for each value, as high as it is against the highest; a dot where none is known. */
export function chartOf(values: readonly (number | null)[]): string {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  return values
    .map((value) => (value === null ? "·" : (heights[Math.round((value / most) * (heights.length - 1))] ?? "")))
    .join("");
}

/** Such as `10:31–10:37`, in the zone of this machine; empty where nothing can be said. */
export function endOf(lineEnds: Movement["lineEnds"], zone?: string): string {
  if (lineEnds?.low == null) return "";
  const clock = new Intl.DateTimeFormat("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    ...(zone !== undefined && { timeZone: zone }),
  });
  const [low, high] = [lineEnds.low, lineEnds.high].map((time) =>
    time === null ? null : clock.format(new Date(time)),
  );
  if (high === null) return `${low} or later`;
  return low === high ? `${low}` : `${low}–${high}`;
}

/** The lines below what is said of a single room. */
export function movementLines({ entered, waiting, lineEnds }: Movement): string[] {
  const [lastEntered, lastWaiting] = [entered.at(-1), waiting.at(-1)];
  const end = endOf(lineEnds);
  return [
    ...(entered.length === 0
      ? []
      : [
          "",
          `entered  ${chartOf(entered)}  ${lastEntered == null ? "" : `${figure(lastEntered)} in the last minute`}`,
          `waiting  ${chartOf(waiting)}  ${lastWaiting == null ? "" : figure(lastWaiting)}`,
        ]),
    ...(end === "" ? [] : ["", `The line ends ${end}, your time, as it moves now.`]),
  ].map((line) => line.trimEnd());
}

const styles = { good: "32", attention: "33", bad: "31", quiet: "2" } as const;
export type Style = keyof typeof styles;

/** Colours text for a terminal that has colours; `NO_COLOR` (no-color.org) asks for none. */
export function painter({ NO_COLOR, TERM }: Terminal["env"]): (text: string, style: Style) => string {
  if ((NO_COLOR ?? "") !== "" || TERM === "dumb") return (text) => text;
  return (text, style) => `\u001b[${styles[style]}m${text}\u001b[0m`;
}
