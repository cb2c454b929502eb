/** What works in a client's settings and may still surprise the operator. */
import type { ClientConfig } from "../resolve/config.ts";
import { formatDuration } from "../schema/duration.ts";
import { PROFILES } from "../schema/profiles.ts";
import type { ClientDocument } from "../schema/schema.ts";
import { TARGET_PLACEHOLDER } from "./urls.ts";

export function findClientWarnings(client: ClientDocument, config: ClientConfig, index: number): string[] {
  const { loginTimeoutMs, restart } = PROFILES[client.profile];
  const isTooLong = client.profile !== "generic" && (client.login_timeout ?? 0) > loginTimeoutMs;
  const isUnderivable = restart.path === null && client.initiate_login_uri === undefined;
  const isUnending = client.profile === "alb" && client.refresh_tokens === false;
  const strandedRooms = roomsThatRestartElsewhere(config);
  return [
    ...(isTooLong
      ? [
          `clients[${index}].login_timeout: by default this relying party (profile ${client.profile}) forgets a login sooner; ` +
            `more than ${formatDuration(loginTimeoutMs)} sends visitors back to a login that is gone, unless ` +
            `its own timeout${client.profile === "apache" ? " (OIDCStateTimeout)" : ""} is longer than this`,
        ]
      : []),
    ...(isUnderivable
      ? [
          `clients[${index}].initiate_login_uri: not given; a login can't be started anew at the redirect URI's host ` +
            `(profile ${client.profile}): name the login address of the site itself`,
        ]
      : []),
    ...(isUnending
      ? [
          `clients[${index}].refresh_tokens: without them the load balancer never asks again before its SessionTimeout ` +
            "(7 days by default): whose admission ends, or is ended by an operator, stays in until then",
        ]
      : []),
    ...(strandedRooms.length > 0
      ? [
          `clients[${index}].initiate_login_uris: nothing for ${strandedRooms.join(", ")}; after a long wait the login of these ` +
            `rooms is started at the address of ${config.rooms[0]}, and may lead into its line`,
        ]
      : []),
  ];
}

/** Where the address says which page the visitor wants, the page says of which room it is. */
function roomsThatRestartElsewhere(client: ClientConfig): readonly string[] {
  const carriesTarget = client.initiateLoginUri.includes(TARGET_PLACEHOLDER) || client.thirdPartyLogin;
  return carriesTarget ? [] : client.rooms.slice(1).filter((room) => !Object.hasOwn(client.initiateLoginUris, room));
}
