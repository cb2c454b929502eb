/**
 * Requests of the tag. A captive portal, a proxy or a CDN may answer in place of the server: an answer that is not the server's is no
 * news, and is thrown, as no answer is.
 */
import { timeoutMs } from "../../../../room/public-status/pacing.ts";
import { after, math } from "./browser.ts";
import { resolve } from "./room.ts";

/** @throws where there is no connection, no answer in time, or one of another host */
export const ask = async (address: string | URL, init?: RequestInit): Promise<Response> => {
  const giveUp = new AbortController();
  // An answer that has been read by then cannot be given up any more.
  after(() => giveUp.abort(), timeoutMs);
  const response = await fetch(address, { ...init, signal: giveUp.signal });
  if (resolve(response.url).host !== resolve(address).host) throw response;
  return response;
};

/** A text of digits is none. */
export const isNumber = (value: number) => value === +value;

/** ± 30 %, as `spread` of the pages, in fewer bytes. */
export const spread = (ms: number) => ms * (0.7 + 0.6 * math.random());

/** After so many failures in a row: from a second on, twice as long each time. */
export const backoffMs = (failures: number, mostMs: number) => spread(math.min(mostMs, 1_000 * 2 ** failures));
