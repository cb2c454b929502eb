/** The admission of a visitor who came by a link: its token is checked once, and what it says kept until the admission lapses. */
import { readJson } from "../requests.ts";

export interface Guarded {
  /** False where the page is shown because nobody could say. */
  admitted: boolean;
  sub?: string;
  /** Seconds since 1970. */
  admitted_until?: number;
  /** Just handed over, and good for a minute at most: for the site's own server, which has to verify it. */
  token?: string;
}

/** Rooms besides the one that is entered. A visitor of more is sent to the room again, which lets them in. */
const keptMax = 19;

/** What is kept of a room, from when and until when: by the device's clock alone, which nobody compares with another. */
type Kept = [fromMs: number, untilMs: number, admission: Guarded];

interface Claims {
  iss: string;
  aud: string | string[];
  sub: string;
  room: string;
  exp: number;
  admitted_until: number;
}

const tokenLengthMax = 4_096;
/** By which clocks of servers may differ, and a cache be behind them. */
const toleranceSec = 120;
const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/**
 * What the token says, or what one said earlier; null for no admission.
 *
 * @param url the room's
 * @param token empty for none
 * @throws where the room or its keys cannot be had: nobody is sent to a room that is not there
 */
export async function readAdmission(url: string, audience: string, token: string): Promise<Guarded | null> {
  const atMs = Date.now();
  const readStatus = () => readJson<{ updated_at: string }>(`${url}/status`);
  if (token) {
    const nowSec = Date.parse((await readStatus()).updated_at) / 1_000;
    const claims = token.length > tokenLengthMax ? null : await verify(url, audience, token, nowSec);
    if (claims) {
      const { sub, admitted_until } = claims;
      const admission = { admitted: true, sub, admitted_until };
      try {
        // What a site may not keep, it asks for at the room again.
        const untilMs = atMs + 1_000 * (admitted_until - nowSec);
        localStorage.usher = JSON.stringify({ ...readKept(atMs), [url]: [atMs, untilMs, admission] });
      } catch {}
      return { ...admission, token };
    }
  }
  const known = readKept(atMs)[url];
  if (known) return known[2];
  await readStatus();
  return null;
}

/** Those that have not lapsed, by the addresses of their rooms; of many the last. */
function readKept(nowMs: number): Record<string, Kept> {
  try {
    const all: [string, Kept][] = Object.entries(JSON.parse(localStorage.usher));
    return Object.fromEntries(all.filter(([, [from, until]]) => from <= nowMs && nowMs < until).slice(-keptMax));
  } catch {
    return {};
  }
}

async function verify(url: string, audience: string, token: string, nowSec: number): Promise<Claims | null> {
  const [head = "", body = "", signature = ""] = token.split(".");
  let header: { typ: string; kid: string };
  let claims: Claims;
  let signed: BufferSource;
  try {
    [header, claims] = [head, body].map((part) => JSON.parse(new TextDecoder().decode(bytesOf(fromBase64(part))))) as [
      typeof header,
      Claims,
    ];
    signed = bytesOf(fromBase64(signature));
    const isOurs = `${claims.iss}/rooms/${claims.room}` === url && [claims.aud].flat().includes(audience);
    if (
      header.typ !== "admission+jwt" ||
      !isOurs ||
      !(Math.min(claims.exp + toleranceSec, claims.admitted_until) > nowSec)
    )
      return null;
  } catch {
    return null;
  }
  const address = `${claims.iss}/.well-known/jwks.json`;
  const { keys } = await readJson<{ keys: (JsonWebKey & { kid: string })[] }>(address, { cache: "no-cache" });
  const jwk = keys.find(({ kid }) => kid === header.kid);
  if (!jwk) return null;
  const { subtle } = crypto;
  const key = await subtle.importKey("jwk", jwk, rsa, false, ["verify"]);
  return (await subtle.verify(rsa, key, signed, bytesOf(`${head}.${body}`))) ? claims : null;
}

const fromBase64 = (part: string) => atob(part.replace(/-/g, "+").replace(/_/g, "/"));
/** Of a text whose characters stand for bytes. */
const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
