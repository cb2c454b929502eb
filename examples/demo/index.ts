/**
 * The demonstration: a site that Usher protects, a page that shows the line, and a crowd. `usher demo` starts it in a clone of the repository;
 * it is built beside the program, and no installation has it. It knows Usher as everybody does, by OpenID Connect and HTTP.
 */
import { startCrowd } from "./crowd.ts";
import { createOperator } from "./operator.ts";
import { createDemoSite, demoSiteUris } from "./site.ts";

const ROOM = "demo";
const CLIENT_ID = "demo-site";

/** What is agreed on with the gateway at each start. */
export interface DemoSetup {
  /** Port of the gateway. */
  readonly port: number;
  /** Port of the protected site. */
  readonly demoPort: number;
  readonly clientSecret: string;
}

export interface DemoOptions extends DemoSetup {
  readonly issuer: string;
  readonly adminKey: string;
  /** So many simulated visitors stand in line. */
  readonly crowd: number;
}

export interface Demo {
  /** What an operator is told. */
  readonly guide: string;
  close(): Promise<void>;
}

/** The gateway's configuration, as a document that goes through the same checks as a file. */
export function demoDocument({ port, demoPort, clientSecret }: DemoSetup): Record<string, unknown> {
  const { redirectUri, postLogoutRedirectUri, initiateLoginUri } = demoSiteUris(demoPort);
  return {
    issuer: `http://localhost:${port}`,
    listen: { host: "127.0.0.1", port },
    store: { type: "memory" },
    // What is tried out is kept apart from what is run in earnest.
    secrets_file: ".usher/demo/secrets.json",
    rooms: [
      {
        id: ROOM,
        title: "Demonstration",
        inlet: { type: "manual" },
        // Where the example of a site that links lead to is, unless it is told otherwise.
        targets: ["http://localhost:8080/", "http://localhost:8080/*"],
      },
    ],
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        post_logout_redirect_uris: [postLogoutRedirectUri],
        room: ROOM,
        initiate_login_uri: initiateLoginUri,
        remembered_logins: "many",
      },
    ],
  };
}

/** Starts site and crowd beside a gateway that serves the document. */
export async function startDemo({ issuer, demoPort, clientSecret, adminKey, crowd: size }: DemoOptions): Promise<Demo> {
  const operator = createOperator({ issuer, room: ROOM, adminKey });
  const site = createDemoSite({
    issuer,
    clientId: CLIENT_ID,
    clientSecret,
    port: demoPort,
    host: "127.0.0.1",
    operator,
  });
  const { url } = await site.start();
  const crowd = size > 0 ? startCrowd({ size, site: url, operator }) : null;
  return {
    guide: guideOf(issuer, url, adminKey, size),
    async close() {
      await crowd?.close();
      await site.close();
    },
  };
}

function guideOf(issuer: string, site: string, adminKey: string, crowd: number): string {
  const crowdLine = `\n    ${crowd} simulated visitors come in a new line, and are let in one after another.\n`;
  return `
  The demonstration is running.
${crowd > 0 ? crowdLine : ""}
    1. Open the protected site:   ${site}
       You are sent to the waiting room and given a place in line.

    2. Let the next visitor in:   ${site}/line

       or at a terminal, as a script of yours would:

       curl -X POST ${issuer}/admin/rooms/demo/serving \\
         -H 'Authorization: Bearer ${adminKey}' \\
         -H 'Content-Type: application/json' -d '{"increment_by":1}'

    3. Operate the room in the console:  ${issuer}/console
       Sign in with the admin key ${adminKey}

    The room as everyone may see it:  ${issuer}/rooms/demo/status
    Stop with Ctrl-C. Started again, places stay, and newcomers enter after a minute.
`;
}
