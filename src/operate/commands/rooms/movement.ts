/** How a line moves, as a terminal shows it: a bar, the last minutes as a chart one line high, and when the line ends. */
import type { AdminAnswers } from "../../client/index.ts";
import { askGateway, type Gateway } from "../gateway.ts";
import { CommandError, figure, type Terminal } from "../terminal.ts";

/** What is known of a room beyond its figures. */
export interface Movement {
  /** Who entered in each ten seconds of the last minutes, the latest last; null where that is not known. */
  readonly entered: readonly (number | null)[];
  /** Who waited at the end of each. */
  readonly waiting: readonly (number | null)[];
  /** When the line ends as it moves now, ISO 8601; an end that is null is none in a week, and null as a whole is not known. */
  readonly lineEnds: { readonly low: string | null; readonly high: string | null } | null;
}

/** Minutes that are asked for, in steps of ten seconds. */
const minutesAsked = 5;

/**
 * Null where the gateway does not say, which is no reason to stop.
 *
 * @param updatedAt by the gateway's clock
 */
export async function movementOf(gateway: Gateway, room: string, updatedAt: string): Promise<Movement | null> {
  const path = { room };
  const from = new Date(Date.parse(updatedAt) - minutesAsked * 60_000).toISOString();
  try {
    const [{ steps }, { line_ends_at }] = await Promise.all([
      askGateway(gateway, (client) =>
        client.GET("/admin/rooms/{room}/statistics", { params: { path, query: { step: "10s", from } } }),
      ),
      askGateway(gateway, (client) => client.GET("/admin/rooms/{room}/forecast", { params: { path } })),
    ]);
    return { ...latelyOf(steps), lineEnds: line_ends_at };
  } catch (error) {
    if (error instanceof CommandError) return null;
    throw error;
  }
}

type Step = Pick<AdminAnswers["Statistics"]["steps"][number], "admitted" | "waiting">;

/** Before the first step of which something is known there is nothing to see; the one that is not over has no end. */
export function latelyOf(steps: readonly Step[]): Pick<Movement, "entered" | "waiting"> {
  const first = steps.findIndex(({ waiting }) => waiting !== null);
  const last = steps.at(-1)?.waiting === null ? -1 : undefined;
  const lately = first < 0 ? [] : steps.slice(first, last);
  return {
    entered: lately.map(({ admitted: { queue, bypass, without_line } }) => sumOf([queue, bypass, without_line])),
    waiting: lately.map(({ waiting }) => waiting),
  };
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

const noEnd = "none in a week";
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
  if (lineEnds === null) return "";
  if (lineEnds.low === null) return noEnd;
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
  const end = endOf(lineEnds);
  const ends =
    end === noEnd ? "As the line moves now, it doesn't end within a week." : `The line ends ${end}, your time.`;
  return [
    ...(entered.length === 0
      ? []
      : [
          "",
          `entered  ${chartOf(entered)}  each column 10 seconds, up to ${most(entered)}`,
          `waiting  ${chartOf(waiting)}  up to ${most(waiting)}`,
        ]),
    ...(end === "" ? [] : ["", ends]),
  ];
}

function most(values: readonly (number | null)[]): string {
  return figure(Math.max(0, ...values.map((value) => value ?? 0)));
}

const styles = { good: "32", attention: "33", bad: "31", quiet: "2" } as const;
export type Style = keyof typeof styles;

/** Colours text for a terminal that has colours; `NO_COLOR` (no-color.org) asks for none. */
export function painter({ NO_COLOR, TERM }: Terminal["env"]): (text: string, style: Style) => string {
  if ((NO_COLOR ?? "") !== "" || TERM === "dumb") return (text) => text;
  return (text, style) => `\u001b[${styles[style]}m${text}\u001b[0m`;
}
