/** Runs `usher init` in folders of a test's own. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { parse } from "yaml";
import type { StartParty } from "../../../../src/features/init/configuration.ts";
import { isForwardAuthProxy } from "../../../../src/features/snippets/forward-auth.ts";
import { hostHere } from "../../../support/gateway-hosts.ts";
import { createHttpClient, type HttpClient } from "../../../support/http-client.ts";
import { freePort } from "../../../support/ports.ts";
import { createRelyingParty } from "../../../support/relying-party.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { type CommandRun, runUsher, type Surroundings } from "../../../support/usher-command.ts";
import { createVisitor } from "../../../support/visitor.ts";

/** Only a user pool is asked at another host than the site's. */
export const redirectOf = (party: StartParty) =>
  party === "cognito" ? { "redirect-uri": "https://login.shop.example.com/oauth2/idpresponse" } : {};

/** The variables of the file as a shell reads them. */
export async function variablesOf(place: string): Promise<Record<string, string>> {
  const text = await readFile(join(place, "usher.env"), "utf8");
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

export function useInit() {
  let folder: TempDir;
  let folders = 0;
  beforeAll(async () => {
    folder = await makeTempDir("init-command");
  });
  afterAll(() => folder.remove());

  const newPlace = () => join(folder.path, `out-${++folders}`);

  /** As `options` say it, laid over those of the guides' examples. */
  function init(
    place: string,
    options: Record<string, string | null> = {},
    around: Surroundings = {},
  ): Promise<CommandRun> {
    const all = { issuer: "https://queue.example.com", site: "https://shop.example.com", out: place, ...options };
    const args = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, value]));
    return runUsher(["init", ...args], around);
  }

  /** A gateway with what was written for this party lets a visitor through the line, and its operator sees it. */
  async function tryGateway(party: StartParty): Promise<void> {
    const place = newPlace();
    const [port, adminPort] = [await freePort(), await freePort()];
    const issuer = `http://localhost:${port}`;
    const site = "http://localhost:8080";
    const options = {
      issuer,
      site: isForwardAuthProxy(party) ? site : "https://shop.example.com",
      "relying-party": party,
      "admin-port": String(adminPort),
      rate: "600",
    };
    expect((await init(place, { ...options, ...redirectOf(party) })).code).toBe(0);
    const env = await variablesOf(place);
    const configFile = join(place, "usher.yaml");
    const secretsFile = join(place, "secrets.json");
    const gateway = hostHere({ port, configFile, env: { USHER_SECRETS_FILE: secretsFile, ...env } });
    await gateway.start();
    const http = createHttpClient();
    try {
      if (isForwardAuthProxy(party)) await askForPage(issuer, site);
      else await logIn(issuer, configFile, env.SITE_CLIENT_SECRET ?? "", http);
      const status = await runUsher(["status", "--url", `http://127.0.0.1:${adminPort}`], { env });
      expect(status).toMatchObject({ code: 0, printed: expect.stringContaining("tickets") });
    } finally {
      http.close();
      await gateway.halt();
    }
  }

  /** As a proxy on this machine does, for a visitor who has no admission yet. */
  async function askForPage(issuer: string, site: string): Promise<void> {
    const headers = { "x-original-url": `${site}/`, "x-original-method": "GET", accept: "text/html" };
    const answer = await fetch(`${issuer}/rooms/tickets/verify`, { headers, redirect: "manual" });
    const target = encodeURIComponent(`${site}/`);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      `${issuer}/rooms/tickets/enter?target=${target}`,
    ]);
  }

  async function logIn(issuer: string, configFile: string, clientSecret: string, http: HttpClient): Promise<void> {
    const { clients } = parse(await readFile(configFile, "utf8"));
    const redirectUri = clients[0].redirect_uris[0];
    const site = createRelyingParty({ http, issuer, clientId: clients[0].client_id, clientSecret, redirectUri });
    const { claims } = await site.login(createVisitor({ http }));
    expect(claims).toMatchObject({ iss: issuer, room: "tickets" });
  }

  return { newPlace, init, tryGateway };
}
