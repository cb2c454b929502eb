/**
 * The demonstration: a site that Usher protects, a page that shows the line, and a crowd. `usher demo` starts it in a clone of the repository;
 * it is built beside the program, and no installation has it. It knows Usher as everybody does, by OpenID Connect and HTTP.
 */
import { startCrowd } from "./crowd.ts";
import { createOperator } from "./operator.ts";
import { createDemoSite, demoSiteUris } from "./site.ts";

const ROOM = "demo";
const CLIENT_ID = "demo-site";
/** One a second: a line that is seen moving. */
const OUTFLOW_PER_MINUTE = 60;

/** What is agreed on with the gateway at each start. */
export interface DemoSetup {
  /** Port of the gateway. */
  readonly port: number;
  /** Port of the protected site. */
  readonly demoPort: number;
  readonly clientSecret: string;
  /** So many simulated visitors stand in line; 0: none, and the line is moved by hand. */
  readonly crowd: number;
}

export interface DemoOptions extends DemoSetup {
  readonly issuer: string;
  readonly adminKey: string;
}

export interface Demo {
  /** What an operator is told. */
  readonly guide: string;
  close(): Promise<void>;
}

/** The gateway's configuration, as a document that goes through the same checks as a file. */
export function demoDocument({ port, demoPort, clientSecret, crowd }: DemoSetup): Record<string, unknown> {
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
        inlet: crowd > 0 ? { type: "periodic", outflow_per_minute: OUTFLOW_PER_MINUTE } : { type: "manual" },
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
  const crowdLine = `
    ${crowd} simulated visitors walk in, and newcomers after them. ${OUTFLOW_PER_MINUTE} a minute are let in.
`;
  return `
  The demonstration is running.
${crowd > 0 ? crowdLine : ""}
    1. Open the protected site:   ${site}
       You are sent to the waiting room and given a place in line.

    2. Run the room in the console:  ${issuer}/console/rooms/${ROOM}
       Sign in with the admin key ${adminKey}
       See the line move, slow it, pause it, let people in.

    3. Or let the next visitor in by a button:  ${site}/line

       or at a terminal, as a script of yours would:

       curl -X POST ${issuer}/admin/rooms/${ROOM}/serving \\
         -H 'Authorization: Bearer ${adminKey}' \\
         -H 'Content-Type: application/json' -d '{"increment_by":1}'

    The room as everyone may see it:  ${issuer}/rooms/${ROOM}/status
    Stop with Ctrl-C. ${crowd > 0 ? "Started again, a new line begins." : "Started again, the line goes on where it was."}
`;
}
