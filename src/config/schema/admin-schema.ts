/** `admin` of a configuration file: who operates, from where, and how people sign in. */
import type { z } from "zod";
import { issuerFault } from "../checks/urls.ts";
import { FOUR_EYES_STEPS, ROLES } from "./choices.ts";
import { checked, duration, idText, list, mapping, oneOf, text, wholeNumber } from "./fields.ts";
import { providerClient } from "./identity.ts";
import { DAY_MS, MINUTE_MS } from "./times.ts";

const roomsOf = list(text("the id of a room", 32), 1_000, 1).optional();

export const listenHost = text("a host name or address to listen on", 255, /^[\w.:-]+$/);

export const adminKey = mapping({
  id: idText("a name for the key", 64, /^[\w.-]+$/),
  key_sha256: text(
    'the SHA-256 of the key, 64 hexadecimal digits as of printf %s "$KEY" | sha256sum',
    64,
    /^[0-9a-f]{64}$/i,
  ).transform((hex) => hex.toLowerCase()),
  role: oneOf("role", ROLES).optional(),
  rooms: roomsOf,
});

export const signInRule = mapping({
  claim: text("the name of a claim, such as groups or realm_access.roles", 256),
  value: text("the value that the claim has, or has among others", 256),
  role: oneOf("role", ROLES),
  rooms: roomsOf,
});

/** @param secret as it stands in the file */
export const adminOf = <Secret extends z.ZodType>(secret: Secret) =>
  mapping({
    keys: list(adminKey, 100).default([]),
    listen: mapping({
      host: listenHost.default("127.0.0.1"),
      port: wholeNumber(0, 65_535),
    }).optional(),
    url: checked("the operators' address, such as https://usher.internal.example.com", issuerFault).optional(),
    sign_in: mapping({
      ...providerClient("people", secret),
      roles: list(signInRule, 100, 1),
    }).optional(),
    four_eyes: list(oneOf("step", FOUR_EYES_STEPS), FOUR_EYES_STEPS.length).default([]),
    session: mapping({
      lifetime: duration(5 * MINUTE_MS, 7 * DAY_MS).prefault("12h"),
      idle: duration(5 * MINUTE_MS, DAY_MS).prefault("1h"),
    }).prefault({}),
  });
