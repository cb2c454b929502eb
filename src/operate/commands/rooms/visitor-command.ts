import { type Command, InvalidArgumentError } from "commander";
import type { AdminAnswers } from "../../client/index.ts";
import { askGateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import { jsonText, printable, type Terminal, tableOf, UsageError } from "../terminal.ts";

type Kind = "position" | "entry";
type Visitor = AdminAnswers["Visitor"];

interface VisitorOptions extends GatewayRequestOptions {
  readonly by?: Kind;
  readonly debugLink?: true;
  readonly expiresIn?: string;
}

/** Seconds after which what a gateway knows is called old: it asks the store once a second. */
const freshSec = 5;

/** `usher visitor ROOM REF`: how it stands with a visitor who calls (docs/operations.md). */
export function addVisitorCommand(program: Command, { env, print, readInput }: Terminal): void {
  withGatewayRequest(
    program
      .command("visitor <room> <ref>")
      .description(
        "how it stands with a visitor, and why: by position, entry number or sub; - reads a ticket from standard input",
      )
      .option("--by <kind>", "position or entry, where a number may be both", readKind)
      .option("--debug-link", "make a link that shows the same to one browser, the first to open it")
      .option("--expires-in <duration>", "how long the link works: 1m to 24h (default: 30m)"),
  ).action(async (room: string, ref: string, { by, debugLink, expiresIn, ...options }: VisitorOptions) => {
    // Arguments of a command are seen by others on the machine, and stay in the shell's history.
    if (/^[wc]1\./.test(ref)) throw new UsageError("give - in place of the ticket, and the ticket on standard input");
    if (debugLink && ref === "-") {
      throw new UsageError("a link goes by a number or a sub: look the ticket up first, without --debug-link");
    }
    if (expiresIn !== undefined && !debugLink) throw new UsageError("--expires-in is of --debug-link");
    const gateway = gatewayOf(options, env, "has the role box_office for the room");
    const query = by === undefined ? {} : { by };
    if (debugLink) {
      const link = await askGateway(gateway, (client) =>
        client.POST("/admin/rooms/{room}/visitors/{ref}/debug-link", {
          params: { path: { room, ref }, query },
          body: expiresIn === undefined ? {} : { expires_in: expiresIn },
        }),
      );
      const lines = [link.url, `works in one browser, until ${link.expires_at}`];
      print(options.json ? jsonText(link) : lines.map(printable).join("\n"));
      return;
    }
    const ticket = ref === "-" ? (await readInput()).trim() : null;
    const found = await askGateway(gateway, (client) =>
      ticket === null
        ? client.GET("/admin/rooms/{room}/visitors/{ref}", {
            params: { path: { room, ref }, query },
          })
        : client.POST("/admin/rooms/{room}/visitors/find", { params: { path: { room } }, body: { ticket } }),
    );
    print(options.json ? jsonText(found) : describe(found));
  });
  addExamples(program, "usher visitor tickets 1204 --by position");
}

function readKind(kind: string): Kind {
  if (kind === "position" || kind === "entry") return kind;
  throw new InvalidArgumentError("expected position or entry");
}

function describe({ state, may_also_be: others, why, sub, place, history, updated_at, age_seconds }: Visitor): string {
  const doubt = others.length === 0 ? "" : ` (or ${others.join(", ")}: nothing that was asked knows)`;
  const figures = [
    ["position", place?.position],
    ["entry number", place?.entry],
    ["ahead", place?.state === "waiting" ? place.ahead : null],
    ["sub", sub],
  ].filter(([, value]) => value !== null && value !== undefined);
  const events = history.map(({ event, at, is_exact, detail }) => [
    at === null ? "-" : `${is_exact ? "" : "about "}${at}`,
    detail === null ? event : `${event} (${detail})`,
  ]);
  const age = age_seconds < freshSec ? "" : `As of ${updated_at}, ${age_seconds} s ago.`;
  const parts = [
    printable(`${state}${doubt}`),
    printable(why.text),
    tableOf(figures.map((row) => row.map(String))),
    tableOf(events),
    printable(age),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}
