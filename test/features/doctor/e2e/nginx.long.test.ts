// Long: starts nginx for each fault; doctor.test.ts plants faults in a proxy of its own.
/**
 * Goal: the doctor finds what is often forgotten in nginx. Method: real gateways behind a real nginx, as docs/tls.md has it, with one
 * thing set up wrongly each time.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway } from "../../../support/gateway.ts";
import { type NginxOptions, startNginx } from "../../../support/nginx.ts";
import { freePorts } from "../../../support/ports.ts";
import { clientOf, useDoctor } from "./run-doctor.ts";

const guide = readFileSync(new URL("../../../../docs/tls.md", import.meta.url), "utf8");
const [location = "", before = "", after = ""] =
  /( {2}location \/ \{\n[\s\S]*?)( {2}\}\n)/.exec(guide.replace("http://usher", "http://gateways")) ?? [];
const doctor = useDoctor();
let port: number;
let file: Record<string, unknown>;
/** One with a listener for operators, one without, and one with two issuers. */
const gateways: Record<string, Gateway> = {};
beforeAll(async () => {
  const [first = 0, second = 0, third = 0] = await freePorts(3);
  port = first;
  const issuer = `http://localhost:${port}`;
  const own = { issuer, rooms: [{ id: "sale", title: "The sale" }], clients: [clientOf("sale")] };
  const other = { issuer: "http://localhost:1", rooms: [{ id: "other" }], clients: [] };
  const admin = (at: number) => ({ listen: { host: "127.0.0.1", port: at } });
  const store = { type: "memory" };
  file = own;
  const configs = {
    closed: { ...own, store, admin: admin(second) },
    open: { ...own, store },
    two: { issuers: [other, own], store, admin: admin(third) },
  };
  for (const [name, config] of Object.entries(configs)) gateways[name] = await startGateway({ config });
});
afterAll(() => Promise.all(Object.values(gateways).map((gateway) => gateway.stop())));

/** The guide's location, with other directives in it. */
const proxied = (changes = "", of = before) => `${of}    ${changes}\n${after}`;

/** What is found that is no good, apart from what is so in every test on this machine. */
async function found(name: string, options: Partial<NginxOptions>) {
  const gateway = gateways[name];
  const nginx = await startNginx({ port, upstreamPorts: [gateway?.port ?? 0], ...options });
  try {
    const { findings } = await doctor.run(file, ["--url", gateway?.operatorsOrigin ?? ""]);
    const usual = ["TLS", "store", "configuration"];
    return findings
      .filter(({ status, about }) => status !== "ok" && !usual.includes(about))
      .map(({ status, about, text }) => `${status} ${about}: ${text}`);
  } finally {
    await nginx.stop();
  }
}

test("nothing is found where nginx is as the guide has it", async () => {
  expect(location).toContain("proxy_pass http://gateways;");
  expect(await found("closed", { locations: proxied() })).toEqual([]);
});

const kept = "proxy_cache_path FOLDER/kept keys_zone=kept:1m;";
const ignoring =
  "proxy_cache kept; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control Set-Cookie Expires Vary;";

test.each<[string, string, () => Partial<NginxOptions>, readonly RegExp[]]>([
  [
    "leads everybody to the operators' addresses",
    "open",
    () => ({ locations: proxied() }),
    [/^fault operators: .*\/admin\/rooms answers 401 .*admin\.listen/, /\/metrics answers/, /\/readyz answers/],
  ],
  [
    "does not pass the host on to a gateway with two issuers",
    "two",
    () => ({ locations: proxied("", before.replace(/.*proxy_set_header Host.*/, "")) }),
    [/^fault discovery: .*proxy_set_header Host \$host/],
  ],
  [
    "strips Set-Cookie",
    "closed",
    () => ({ locations: proxied("proxy_hide_header Set-Cookie;") }),
    [/^fault whole login: .*without its ticket in Set-Cookie: let the proxy/],
  ],
  [
    "keeps pages of visitors",
    "closed",
    () => ({ locations: proxied(ignoring), http: kept }),
    [/^fault whole login: .*arrives from a cache .*cache nothing of it/],
  ],
  [
    "keeps pages of errors",
    "closed",
    () => ({ locations: proxied(ignoring.replace("valid 200", "valid any")), http: kept }),
    [/^fault pages: \/authorize arrives from a cache .*cache nothing of it/],
  ],
  [
    "has nginx's usual room for the headers of answers",
    "closed",
    () => ({ locations: proxied("", before.replace(/.*proxy_buffer.*/g, "")) }),
    [/^warning headers: .*state of 4000 .*answered 502: .*proxy_buffer_size 32k/],
  ],
  [
    "has little room for the headers of answers",
    "closed",
    () => ({
      locations: proxied(
        "proxy_buffer_size 2k; proxy_buffers 4 2k; proxy_busy_buffers_size 4k;",
        before.replace(/.*proxy_buffer.*/g, ""),
      ),
    }),
    [/^fault headers: .*state of 1500 .*answered 502: .*proxy_buffer_size 32k/],
  ],
  [
    "has little room for visitors' cookies",
    "closed",
    () => ({ locations: `large_client_header_buffers 4 2k;\n${proxied()}` }),
    [/^fault headers: .*cookies of 3000 is answered 400: .*large_client_header_buffers 8 16k/],
  ],
])("nginx that %s is found, with the way out", async (_, name, options, words) => {
  const given = options();
  const findings = await found(name, given);
  for (const each of words) expect(findings.join("\n")).toMatch(new RegExp(each.source, "m"));
  expect(findings.length).toBeGreaterThanOrEqual(words.length);
});
