import type { Command } from "commander";
import { askGateway, type Gateway } from "../gateway.ts";
import { addExamples } from "../help.ts";
import { type GatewayRequestOptions, gatewayOf, withGatewayRequest } from "../installation/gateway-options.ts";
import { counted, figure, jsonText, printable, requireYes, type Terminal } from "../terminal.ts";
import { describeStep, getRoom, hasNumbers, type Room, type RoomWithoutNumbers } from "./room.ts";

/** Steps that turn away nobody and let in nobody whom the limit would hold. */
const plainSteps = [
  ["open", "open the room: the line moves"],
  ["prequeue", "let visitors join before the opening"],
  ["idle", "put the room into the phase before its line begins"],
  ["pause", "stop the line; paused time costs nobody anything"],
  ["resume", "let a paused line go on"],
] as const;

/** Steps that cannot be taken back, and what each would do to whom. */
const dangerousSteps = [
  ["end", "end the room: nobody joins or enters any more", stakesOfEnd],
  ["passthrough", "let everybody in without a line and without a limit", stakesOfPassthrough],
  ["reset", "start a new line: all places are void", stakesOfReset],
] as const;

type Step = (typeof plainSteps)[number][0] | (typeof dangerousSteps)[number][0];

/** `usher open ROOM` and its like: the steps of docs/operations.md. */
export function addStepCommands(program: Command, { env, print, ask }: Terminal): void {
  for (const [step, description] of plainSteps) {
    withGatewayRequest(program.command(`${step} <room>`).description(description)).action(
      (room: string, options: GatewayRequestOptions) => take(gatewayFor(options), step, room, options),
    );
  }
  for (const [step, description, stakesOf] of dangerousSteps) {
    withGatewayRequest(program.command(`${step} <room>`).description(`${description}; asks before`))
      .option("--yes", "do it without asking")
      .action(
        async (
          room: string,
          options: GatewayRequestOptions & {
            readonly yes?: true;
          },
        ) => {
          const gateway = gatewayFor(options);
          if (!options.yes) await confirm(gateway, step, room, stakesOf);
          await take(gateway, step, room, options);
        },
      );
  }

  for (const [step] of [...plainSteps, ...dangerousSteps]) addExamples(program, `usher ${step} tickets`);

  function gatewayFor(options: GatewayRequestOptions): Gateway {
    return gatewayOf(options, env, "has the role operator for the room");
  }

  async function take(gateway: Gateway, step: Step, room: string, { json }: GatewayRequestOptions): Promise<void> {
    const params = { path: { room } };
    const answer = await askGateway(gateway, (client) => client.POST(`/admin/rooms/{room}/${step}`, { params }));
    print(json ? jsonText(answer) : describeStep(room, answer));
  }

  /** @throws CommandError unless a person says yes to what it would do to people */
  async function confirm(
    gateway: Gateway,
    step: string,
    room: string,
    stakesOf: (room: Room) => string,
  ): Promise<void> {
    const stakes = stakesIn(await getRoom(gateway, room), stakesOf);
    const what = printable(`${step} ${room} at ${gateway.url}: ${stakes}`);
    await requireYes(ask, what);
  }
}

function stakesIn(room: Room | RoomWithoutNumbers, stakesOf: (room: Room) => string): string {
  if (!hasNumbers(room)) return "the gateway knows no numbers of the room at this moment.";
  const old = room.availability === "ready" ? "" : ` (The numbers are from ${room.updated_at}.)`;
  return stakesOf(room) + old;
}

function stakesOfEnd({ waiting, live_admissions }: Room): string {
  return `${people(waiting)} waiting and would be turned away. ${people(live_admissions)} inside until their admissions end.`;
}

function stakesOfPassthrough({ waiting, outflow_limit }: Room): string {
  const limit =
    outflow_limit === null ? "" : `, and the limit of ${figure(outflow_limit)} a minute would hold nobody back`;
  return `${people(waiting)} waiting and would enter at once${limit}.`;
}

function stakesOfReset({ waiting, queued }: Room): string {
  return `${counted(queued, "place")} handed out would be void; ${people(waiting)} waiting and would begin again in a new line.`;
}

function people(count: number): string {
  return counted(count, "person is", "people are");
}
