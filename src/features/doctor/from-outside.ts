import { type Finding, fault, ok, warning } from "../../lib/finding.ts";
import { placeOf, redirectOf } from "../../lib/openid/login-request.ts";
import { checkAddress } from "./address.ts";
import { type Answer, ask, followAtHost, isSameAnswer, objectOf } from "./ask.ts";

/** What is the operators' alone. */
const operatorsPaths = /^\/(admin|console|metrics|readyz)(\/|$)/;
/** Answers may be so much older than the status says: a second at Usher, one on the way. */
const statusAgeMaxSec = 3;
/** Not all caches say the age: the status says when it is from, which is some seconds ago in a busy gateway. */
const ageMsMax = 10_000;
/** More than this of difference between clocks is worth a warning, as in the gateway. */
const skewMaxMs = 2_000;

/** What everybody meets at an issuer's address, and whether it is Usher that answers there: only then are its clients worth a trial. */
export async function checkPublic(
  issuer: string,
  rooms: readonly string[],
  nowMs: () => number,
): Promise<{ readonly findings: readonly Finding[]; readonly isUsher: boolean }> {
  const address = await checkAddress(issuer, nowMs());
  if (address.some(({ status }) => status === "fault")) return { findings: address, isUsher: false };
  const findings = await checkFromOutside(issuer, rooms, nowMs);
  const isUsher = findings.some(({ about, status }) => about === "discovery" && status === "ok");
  return { findings: [...address, ...findings], isUsher };
}

/** What an issuer shows to everybody: discovery, keys, nothing of operators, and nothing that a cache may spoil. */
export async function checkFromOutside(
  issuer: string,
  rooms: readonly string[],
  nowMs: () => number,
): Promise<Finding[]> {
  const discovery = await ask(`${issuer}/.well-known/openid-configuration`);
  if (typeof discovery === "string") {
    const wayOut = "start Usher and the proxy before it, and open its port to the public";
    return [fault("discovery", `Nothing answers at ${issuer} (${discovery}): ${wayOut}.`)];
  }
  const metadata = checkDiscovery(discovery, issuer);
  if (metadata.status === "fault") return [metadata];
  return [
    metadata,
    checkClock(discovery, nowMs()),
    await checkKeys(issuer),
    await checkClosed(issuer, "/admin/rooms"),
    await checkClosed(issuer, "/metrics"),
    await checkClosed(issuer, "/readyz"),
    await checkPages(issuer),
    ...(await Promise.all(rooms.map((room) => checkRoom(issuer, room)))),
  ];
}

function checkDiscovery({ status, headers, text }: Answer, issuer: string): Finding {
  const at = "/.well-known/openid-configuration";
  if (status >= 300 && status < 400) {
    const to = headers.get("location") ?? "elsewhere";
    return fault(
      "discovery",
      `${issuer}${at} redirects to ${to}: relying parties do not follow. Answer there, or make that address the issuer.`,
    );
  }
  const { issuer: claimedIssuer } = objectOf(text);
  if (status === 421) {
    return fault(
      "discovery",
      `${issuer}${at} answered 421: let the proxy send the header Host on (nginx: proxy_set_header Host $host).`,
    );
  }
  if (status !== 200 || typeof claimedIssuer !== "string") {
    return fault(
      "discovery",
      `${issuer}${at} answered ${status}, and not as Usher does: lead the proxy's whole host to Usher (docs/tls.md).`,
    );
  }
  if (claimedIssuer !== issuer) {
    return fault(
      "discovery",
      `The gateway there says that its issuer is ${claimedIssuer}: set issuer or USHER_ISSUER to ${issuer}, and restart it.`,
    );
  }
  return ok("discovery", `${issuer} is found by relying parties.`);
}

function checkClock({ headers }: Answer, nowMs: number): Finding {
  const dateMs = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(dateMs))
    return warning("clock", "The proxy removes the header Date: have it sent on, so that clocks can be compared.");
  const offMs = Math.abs(dateMs - nowMs);
  // The header has whole seconds.
  if (offMs <= skewMaxMs + 1_000) return ok("clock", "The clocks there and here agree.");
  return fault(
    "clock",
    `The clock there is ${Math.round(offMs / 1_000)} s off this one: run chrony or another NTP client on both, as tokens are dated by it.`,
  );
}

/** A redirect of what programs and pages ask, which expect the answer itself; null for any other answer. */
function redirected(about: string, url: string, answer: Answer): Finding | null {
  const to = redirectOf(answer.status, answer.headers.get("location"), url);
  if (to === null) return null;
  const wayOut = "not all who ask follow, and parameters get lost. Let the proxy lead it to Usher itself";
  return fault(about, `${url} redirects to ${placeOf(to.href)}: ${wayOut}.`);
}

async function checkKeys(issuer: string): Promise<Finding> {
  const url = `${issuer}/.well-known/jwks.json`;
  const answer = await ask(url);
  const moved = typeof answer === "string" ? null : redirected("keys", url, answer);
  if (moved !== null) return moved;
  const keys = typeof answer === "string" ? [] : objectOf(answer.text).keys;
  if (Array.isArray(keys) && keys.length > 0) return ok("keys", "Relying parties get the signing keys.");
  return fault("keys", `${url} shows no key: let the proxy lead this address to Usher, and cache nothing there.`);
}

/** What is operators' must not answer to the public. */
async function checkClosed(issuer: string, path: string): Promise<Finding> {
  const url = `${issuer}${path}`;
  const end = await followAtHost(url);
  if (typeof end === "string") return ok("operators", `${path} is closed there.`);
  const { answer, at, to } = end;
  if (to !== null) {
    const wayOut = "the doctor does not ask there, so see for yourself that it is closed to the public";
    return warning("operators", `${url} leads to ${placeOf(to.href)}: ${wayOut}.`);
  }
  // A page that everybody is led to in its place, such as the site's first, is none of the operators'.
  const isElsewhere = !operatorsPaths.test(new URL(at).pathname);
  if (isElsewhere || answer.status === 404 || answer.status === 403) return ok("operators", `${path} is closed there.`);
  const subject = at === url ? url : `${url} leads to ${placeOf(at)}, which`;
  return fault(
    "operators",
    `${subject} answers ${answer.status} to everybody: set admin.listen, or have the proxy refuse it (docs/tls.md).`,
  );
}

/** A page of one visitor must never be another's: without parameters, /authorize answers with an error's page. */
async function checkPages(issuer: string): Promise<Finding> {
  const url = `${issuer}/authorize`;
  const answer = await ask(url);
  const again = await ask(url);
  if (typeof answer === "string" || typeof again === "string")
    return fault("pages", `${url} does not answer (${answer}): lead it to Usher.`);
  const moved = redirected("pages", url, answer);
  if (moved !== null) return moved;
  const caching = answer.headers.get("cache-control") ?? "";
  if (isSameAnswer(answer, again)) {
    return fault(
      "pages",
      "/authorize arrives from a cache when it is asked again: let the proxy and the CDN cache nothing of it, or visitors get each other's places.",
    );
  }
  if (!/\bno-store\b/.test(caching) || isFromCache(answer)) {
    return fault(
      "pages",
      `/authorize arrives with Cache-Control ${caching || "removed"}: let the CDN cache nothing of it, or visitors get each other's places.`,
    );
  }
  return ok("pages", "/authorize is not cached.");
}

async function checkRoom(issuer: string, room: string): Promise<Finding> {
  const url = `${issuer}/rooms/${encodeURIComponent(room)}/status`;
  const answer = await ask(url);
  if (typeof answer === "string")
    return fault("room", `The status of ${room} does not answer (${answer}): lead /rooms to Usher.`);
  const moved = redirected("room", url, answer);
  if (moved !== null) return moved;
  const figures = objectOf(answer.text);
  if (answer.status !== 200 || figures.room !== room) {
    return fault(
      "room",
      `The gateway there answers ${answer.status} for the room ${room} of this file: start it with this file.`,
    );
  }
  const spoilt = checkCaching(`The status of ${room}`, answer, Date.parse(String(figures.updated_at)));
  return spoilt ?? (await checkPace(issuer, room)) ?? ok("room", `The status of ${room} is current.`);
}

/** Of what pages ask for again and again. Without it they ask for the status each time. */
async function checkPace(issuer: string, room: string): Promise<Finding | null> {
  const url = `${issuer}/rooms/${encodeURIComponent(room)}/pace`;
  const answer = await ask(url);
  // The second of a list.
  const updatedMs = typeof answer === "string" ? undefined : objectOf(answer.text)[1];
  if (typeof answer === "string" || typeof updatedMs !== "number") {
    const what = typeof answer === "string" ? answer : String(answer.status);
    return warning(
      "room",
      `${url} does not answer as Usher does (${what}): lead all of /rooms to Usher, or pages ask for whole statuses, of four times the bytes.`,
    );
  }
  return checkCaching(`What moves in the status of ${room} (…/pace)`, answer, updatedMs);
}

/** What a proxy or a CDN has done to an answer that may be kept for a second; null where it has done nothing. */
function checkCaching(what: string, { headers }: Answer, updatedMs: number): Finding | null {
  const ageMs = Date.parse(headers.get("date") ?? "") - updatedMs;
  const age = Number(headers.get("age") ?? (ageMs > ageMsMax ? Math.round(ageMs / 1_000) : 0));
  if (age > statusAgeMaxSec) {
    return fault(
      "room",
      `${what} is ${age} s old: let the CDN obey Cache-Control (one second), or places stand still.`,
    );
  }
  if (headers.has("set-cookie")) {
    return warning(
      "room",
      `${what} arrives with a cookie of the proxy: switch that off (stickiness is not needed), as a CDN caches no answer with a cookie.`,
    );
  }
  if (!/max-age=\d/.test(headers.get("cache-control") ?? "")) {
    return warning(
      "room",
      `${what} arrives without its Cache-Control: let the proxy send it on, so that a CDN may carry the polls.`,
    );
  }
  return null;
}

function isFromCache({ headers }: Answer): boolean {
  return Number(headers.get("age") ?? 0) > 0 || /\bhit\b/i.test(headers.get("x-cache") ?? "");
}
