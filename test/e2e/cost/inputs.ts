/** What a request may be made large by: of each kind the largest that is accepted, in the shapes that cost most, and larger ones. */
import { pairsMax, targetLengthMax } from "../../../src/lib/request.ts";

/** Bytes of all headers: what the server takes, with room for those that each request has. */
const headersLength = 58_000;
/** Bytes, of which each address accepts the smaller ones or all. */
const bodyLengths = [65_500, 131_000, 262_000];

export interface Input {
  readonly kind: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const fill = (unit: string, length: number) => unit.repeat(Math.max(0, Math.floor(length / unit.length)));
const count = (units: number, unit: (index: number) => string) => Array.from({ length: units }, (_, i) => unit(i));
const upTo = (length: number, unit: (index: number) => string) => {
  const size = unit(100_000).length;
  return count(Math.floor(length / size), unit);
};
/** What is no signature of ours, in their form. */
const token = (length: number) =>
  `${Buffer.from('{"alg":"RS256","kid":"x"}').toString("base64url")}.${fill("A", length - 400)}.${fill("A", 342)}`;

const address = "https://shop.example.test/";
const shapes: Record<string, (length: number) => string> = {
  words: (length) => fill("a+", length),
  token,
  layers: (length) => `${address}${fill("%25252541", Math.min(length, 4_000))}`,
  steps: (length) => `${address}${fill(";./", Math.min(length, 4_000))}`,
};
const parameters: readonly [name: string, shape: string][] = [
  ..."claims prompt scope ui_locales".split(" ").map((name): [string, string] => [name, "words"]),
  ..."access_token client_id code cursor from id_token_hint issuer limit link place purpose request room state token"
    .split(" ")
    .map((name): [string, string] => [name, "token"]),
  ..."post_logout_redirect_uri redirect_uri return target target_link_uri"
    .split(" ")
    .flatMap((name): [string, string][] => [
      [name, "layers"],
      [name, "steps"],
    ]),
];

/** @param path with a query where it needs one */
export function targets(path: string): Input[] {
  const before = `${path}${path.includes("?") ? "&" : "?"}`;
  const left = targetLengthMax - before.length;
  const pairs = pairsMax - before.split("&").length;
  const each = parameters.map(([name, shape]) => {
    const length = left - name.length - 1;
    return { kind: `${name}: ${shape}`, path: `${before}${name}=${shapes[shape]?.(length).slice(0, length)}` };
  });
  return [
    ...each,
    { kind: "many parameters of a name", path: `${before}${fill("a&", pairs * 2)}${fill("x", left - pairs * 2)}` },
    { kind: "many parameters", path: `${before}${count(pairs, (i) => `p${i}=${fill("x", 40)}`).join("&")}` },
    { kind: "all parameters", path: `${before}${parameters.map(([name]) => `${name}=${fill("a", 500)}`).join("&")}` },
    { kind: "a long path", path: `${path.split("?")[0]}/${fill("a/", targetLengthMax - path.length - 2)}` },
    { kind: "an encoded path", path: `${path.split("?")[0]}/${fill("%41", targetLengthMax - path.length - 2)}` },
    // Refused.
    { kind: "30,000 parameters", path: `${before}${fill("a&", headersLength)}` },
    { kind: "10,000 different parameters", path: `${before}${upTo(headersLength, (i) => `${i}&`).join("")}` },
    { kind: "a query that is too long", path: `${before}${fill("a", headersLength)}` },
    { kind: "a path that is too long", path: `${path.split("?")[0]}${fill("/", headersLength)}` },
  ];
}

/** @param issuer whose pages `Referer` may name */
export function headers(issuer: string, room: string): Input[] {
  const all = (name: string, units: readonly string[], before = ""): Input[] =>
    units.map((unit) => ({
      kind: `${name}: ${before}${unit} …`,
      headers: { [name]: before + fill(unit, headersLength) },
    }));
  return [
    ...all("Accept", ["*/*,", "text/html;q=0.1,", "application/json,", ",", ';a="'], "text/html,"),
    ...all("Accept-Encoding", ["gzip;q=0 ", "gzip,"]),
    ...all("Accept-Language", ["de;q=0.1,", "a-", ","]),
    ...all("Authorization", ["A.", " "], "Bearer "),
    ...all("Authorization", ["QUFB", Buffer.from("%41:").toString("base64")], "Basic "),
    { kind: "Authorization: a token", headers: { Authorization: `Bearer ${token(headersLength)}` } },
    ...all("Content-Type", [";a=b", ';a="', " "], "application/x-www-form-urlencoded"),
    ...all("Cookie", ["a=b; ", ";", " ;"]),
    ...all("Cookie", ["A", "A."], `usher-${room}=`),
    ...all("Cookie", ["en.", "a-"], "usher.ui-locales="),
    ...all("Cookie", ["A"], "usher.session=a; usher.session.sig="),
    ...all("Forwarded", ["for=1;", ","]),
    ...all("Idempotency-Key", ["a"]),
    ...all("If-None-Match", ['"a",', " ,"]),
    ...all("Origin", ["a."], "https://"),
    ...all("Range", ["0-1,"], "bytes="),
    ...all("Referer", ["a&", "+"], `${issuer}/authorize?ui_locales=`),
    ...all("Referer", ["%41", "../"], "https://shop.example.test/"),
    ...all("User-Agent", ["bot "]),
    ...all("X-Forwarded-For", [",", "10.0.0.1,", "1.", ":", "0:"]),
    {
      kind: "X-Forwarded-For: many proxies",
      headers: {
        "X-Forwarded-For": upTo(headersLength, (i) => `fd00::${i.toString(16)},`)
          .join("")
          .slice(0, headersLength),
      },
    },
    ...all("X-Forwarded-Host", ["a."]),
    ...all("X-Forwarded-Uri", ["a/", "%25"], "/"),
    ...all("X-Original-URL", ["a/", "usher_token=a&", ";./"], "https://shop.example.test/?"),
    {
      kind: "many headers",
      headers: Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`X-Header-${i}`, "aaaaaaaaaaaa"])),
    },
  ];
}

const formNames = [
  ..."client_assertion client_id client_secret code code_verifier edition grant_type language link place redirect_uri".split(
    " ",
  ),
  ..."refresh_token return scope token xsrf".split(" "),
];

export function forms(): Input[] {
  const length = 56_000;
  const bodies: [string, string][] = [
    ["30,000 fields", fill("a&", 60_000)],
    ["10,000 different fields", upTo(length, (i) => `${i}&`).join("")],
    ["200 fields", `${fill("a&", 2 * pairsMax - 2)}${fill("x", length)}`],
    ["a long field", fill("%C3%A4", 65_000)],
    ...formNames.flatMap((name): [string, string][] => [
      [`${name}: dots`, `${name}=${fill("A.", length)}`],
      [`${name}: an address of ours`, `${name}=/authorize?${fill("a%26", length)}`],
    ]),
    ["an opaque code", `grant_type=authorization_code&redirect_uri=https://x/&code=${fill("A.", length - 100)}`],
    ["a refresh token", `grant_type=refresh_token&refresh_token=${token(length - 100)}`],
    [
      "an assertion",
      `grant_type=client_credentials&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=${token(length - 200)}`,
    ],
  ];
  const type = { "Content-Type": "application/x-www-form-urlencoded" };
  return bodies.map(([kind, body]) => ({ kind: `form: ${kind}`, headers: type, body }));
}

export function jsonBodies(): Input[] {
  const lists = ["redirect_uris", "rooms", "completed", "claims", "target_link_uris", "targets"];
  const objects = ["inlet", "message", "initiate_login_uris", "schedule", "theme", "admission"];
  const long = ["title", "client_id", "purpose", "note", "signal", "target_link_uri", "status"];
  const asMuchAsIsRead: [string, string][] = [
    ["unknown keys", `{${count(pairsMax, (i) => `"outflow_per_minte${i}":1`).join()}}`],
    ...lists.map((name): [string, string] => [
      name,
      `{"client_id":"x","redirect_uris":["x"],"${name}":[${count(1_000, (i) => `"t${i}"`).join()}]}`,
    ]),
    ...objects.map((name): [string, string] => [
      name,
      `{"client_id":"x","rooms":["x"],"${name}":{${count(pairsMax, (i) => `"en-x-k${i}":"x"`).join()}}}`,
    ]),
  ];
  const rooms = count(1_000, (i) => `"room-${i}"`).join();
  const uris = count(pairsMax, (i) => `"rom-${i}":"https://x/"`).join();
  asMuchAsIsRead.push(["rooms", `{"client_id":"x","rooms":[${rooms}],"initiate_login_uris":{${uris}}}`]);
  const ofLength = (length: number): [string, string][] => [
    ["keys", `{${upTo(length, (i) => `"${i}":0,`).join("")}"z":0}`],
    ["long keys", `{${upTo(length, (i) => `"${fill("x", 50)}${i}":0,`).join("")}"z":0}`],
    ["lists in lists", `${fill("[", length / 2)}${fill("]", length / 2)}`],
    ["objects in objects", `${fill('{"inlet":', length * 0.9)}1${fill("}", length * 0.1)}`],
    ["what is no JSON", fill("[", length)],
    ...lists.map((name): [string, string] => [name, `{"${name}":[${upTo(length, (i) => `"${i}",`).join("")}"z"]}`]),
    ...objects.map((name): [string, string] => [
      name,
      `{"${name}":{${upTo(length, (i) => `"${i}":0,`).join("")}"z":0}}`,
    ]),
    ...long.map((name): [string, string] => [name, `{"${name}":"${fill("a", length)}"}`]),
    ["time zone", `{"schedule":{"time_zone":"${fill("Europe/", length)}"}}`],
  ];
  const asInput = (kind: string, body: string): Input => ({
    kind: `JSON: ${kind}`,
    headers: { "Content-Type": "application/json" },
    body,
  });
  return [
    ...asMuchAsIsRead.map(([what, body]) => asInput(`${what}, as many as are read`, body)),
    ...bodyLengths.flatMap((length) =>
      ofLength(length - 100).map(([what, body]) => asInput(`${what}, in ${length} bytes`, body)),
    ),
  ];
}
