import { type TokenRequest, tokenRequestOf } from "../../lib/openid/token-request.ts";
import { askGateway, type Gateway } from "../../operate/commands/gateway.ts";
import { getRoom, hasNumbers } from "../../operate/commands/rooms/room.ts";
import { CommandError, type Terminal, UsageError } from "../../operate/commands/terminal.ts";
import {
  linkWay,
  loginWay,
  type Stage,
  type StageClient,
  siteOrigins,
  siteWay,
  strayReason,
  type Way,
} from "./visitor/ways.ts";
import { createWeb } from "./visitor/web.ts";

/** Minutes for which the pass is valid beyond the time that is asked for: the crowd begins a little later, and leaves at the end. */
const marginMinutes = 10;
const redirectsMax = 10;
const timeoutMs = 10_000;

/** How each phase is left, but those in which there is a line. */
const waysOut: Readonly<Record<string, string>> = {
  idle: "usher open ROOM, or usher prequeue ROOM, begins its line",
  ended: "usher reset ROOM and usher open ROOM begin a new line",
  paused: "usher resume ROOM lets its line go on",
  passthrough: "everybody passes, so there is nothing to rehearse: usher open ROOM begins a line",
};

/**
 * Asks the gateway for what the rehearsal needs, and refuses what is no stage for one.
 *
 * @throws CommandError for a room that is not marked, has no line at the moment, or that no way leads into
 */
export async function prepareStage(
  gateway: Gateway,
  env: Terminal["env"],
  options: {
    readonly room: string;
    readonly visitors: number;
    readonly minutes: number;
    readonly site?: string;
    readonly client?: string;
  },
) {
  const { room, visitors, minutes } = options;
  const current = await getRoom(gateway, room);
  if (!hasNumbers(current)) throw new CommandError(`the gateway knows no numbers of ${room}: try again in a moment`);
  if (current.settings.rehearsal !== true) {
    const wayOut = "rehearsal: true in its settings, where nothing is sold in it (docs/operations.md)";
    throw new CommandError(`${room} is not marked for rehearsals, and its visitors may be people: ${wayOut}`);
  }
  const wayOut = waysOut[current.phase]?.replaceAll("ROOM", room);
  if (wayOut !== undefined) throw new CommandError(`${room} is ${current.phase}: ${wayOut}`);
  const body = { visitors, minutes: minutes + marginMinutes };
  const stage = await askGateway(gateway, (api) =>
    api.POST("/admin/rooms/{room}/rehearsal", { params: { path: { room } }, body }),
  );
  await requireAnswer(stage);
  const way = options.site === undefined ? directWay(stage, options.client) : await siteWayOf(stage, options.site);
  return { stage, way, tokenRequest: secretOf(stage, way, options.client, env), before: current };
}

/** Visitors come by the public address, whatever the admin API is asked by. @throws CommandError where nobody answers there */
async function requireAnswer({ issuer, room }: Stage): Promise<void> {
  const web = createWeb(1);
  try {
    const answer = await web.ask(new URL(`${issuer}/rooms/${room}/status`), { timeoutMs });
    const wayOut = "start the proxy before Usher, and let this machine reach it (usher doctor says more)";
    if (typeof answer === "string") throw new CommandError(`${issuer} does not answer (${answer}): ${wayOut}`);
    if (answer.status === 200 && answer.text.includes(`"room":"${room}"`)) return;
    throw new CommandError(
      `${issuer} answered ${answer.status}, and not as the room ${room}: let the proxy lead /rooms to Usher`,
    );
  } finally {
    web.close();
  }
}

/** By a login of a client, else by the link. @throws CommandError */
function directWay(stage: Stage, named: string | undefined): Way {
  const client = clientOf(stage, named);
  if (client !== undefined) return loginWay(stage, client);
  if (stage.has_link && named === undefined) return linkWay(stage);
  const pushes = "takes pushed authorization requests alone, which its site makes: --site URL rehearses that";
  if (named !== undefined && stage.clients.some(({ client_id }) => client_id === named)) {
    throw new CommandError(`${named} ${pushes}`);
  }
  const names = stage.clients.map(({ client_id }) => client_id).join(", ");
  if (named !== undefined)
    throw new CommandError(`${named} is no client of ${stage.room}; there are: ${names || "none"}`);
  if (names !== "") throw new CommandError(`each client of ${stage.room} ${pushes}`);
  throw new CommandError(`no way leads into ${stage.room}: give it a client or targets in the configuration`);
}

/** That the rehearsal can log in with by itself. */
function clientOf({ clients }: Stage, named: string | undefined): StageClient | undefined {
  const fit = clients.filter(({ require_pushed_authorization_requests: isPushed }) => !isPushed);
  return named === undefined ? fit[0] : fit.find(({ client_id }) => client_id === named);
}

/** What redeems codes: the secret that the environment has, or nothing for a client without one. */
function secretOf(stage: Stage, way: Way, named: string | undefined, env: Terminal["env"]): TokenRequest | null {
  const client = way.kind === "login" ? clientOf(stage, named) : undefined;
  if (client === undefined) return null;
  const { client_id: clientId, token_endpoint_auth_method: tokenEndpointAuthMethod } = client;
  const isPublic = tokenEndpointAuthMethod === "none";
  const clientSecret = isPublic ? null : env.USHER_CLIENT_SECRET || null;
  if (!isPublic && clientSecret === null) return null;
  return tokenRequestOf(stage.issuer, { clientId, clientSecret, tokenEndpointAuthMethod }, new Map());
}

/** @throws CommandError unless the address is of the installation, and leads to the room */
async function siteWayOf(stage: Stage, site: string): Promise<Way> {
  const url = URL.canParse(site) ? new URL(site) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "") {
    throw new UsageError("--site: expected the address of a page of the protected site, such as https://shop.example/");
  }
  const origins = siteOrigins(stage.clients);
  if (!origins.has(url.origin)) {
    const listed = [...origins].join(", ") || "none";
    throw new CommandError(
      `--site: ${url.origin} is no host of this installation: no client of ${stage.room} has a redirect URI there; there are: ${listed}`,
    );
  }
  await requireEntrance(stage, origins, url);
  return siteWay(stage, url);
}

/** Follows the site's redirects up to the waiting room, without a step into it. @throws CommandError */
async function requireEntrance(stage: Stage, origins: ReadonlySet<string>, site: URL): Promise<void> {
  const web = createWeb(1);
  try {
    let url = site;
    for (let hops = 0; hops < redirectsMax; hops++) {
      const answer = await web.ask(url, { headers: { accept: "text/html" }, timeoutMs });
      if (typeof answer === "string") throw new CommandError(`--site: ${url.origin} does not answer (${answer})`);
      const { location } = answer.headers;
      const isRedirect = answer.status >= 300 && answer.status < 400 && location !== undefined;
      if (!isRedirect || !URL.canParse(location, url.href)) {
        const wayOut = "name a page that the site shows to visitors who are logged in alone";
        throw new CommandError(
          `--site: ${url.origin} answered ${answer.status}, and not with a login at Usher: ${wayOut}`,
        );
      }
      url = new URL(location, url);
      if (url.origin === stage.issuer) {
        const reason = strayReason(stage, url);
        if (url.searchParams.get("response_mode") === "form_post") {
          const wayOut = "browsers with scripts alone do that: rehearse without --site";
          throw new CommandError(`--site: its answer is a form that sends itself (form_post); ${wayOut}`);
        }
        if (reason === null) return;
        throw new CommandError(
          `--site: it does not lead to ${stage.room} (${reason}): have it name the room (docs/clients.md)`,
        );
      }
      if (!origins.has(url.origin)) {
        throw new CommandError(`--site: it leads to ${url.host}, which is no host of this installation`);
      }
    }
    throw new CommandError(`--site: more than ${redirectsMax} redirects, and none to ${stage.issuer}`);
  } finally {
    web.close();
  }
}
