/**
 * The modules of the OpenID Foundation's plans "Basic OP", "Config OP" and "RP-Initiated Logout OP", each a test that
 * is called by the module's name, and what the specifications of OAuth ask for beside them. docs/conformance.md lists them.
 */
import { afterAll, beforeAll, describe, expect } from "vitest";
import { numbers } from "../line.ts";
import { memoryStore, useWorld } from "../world.ts";
import { describeBearerTokens } from "./bearer-tokens.ts";
import { describeCodeReuse } from "./code-reuse.ts";
import { describeConfig } from "./config.ts";
import { describeIntrospection } from "./introspection.ts";
import { describeLogout } from "./logout.ts";
import { describeMetadata } from "./metadata.ts";
import { describePkce } from "./pkce.ts";
import { describePrompts } from "./prompts.ts";
import { describeRedirects } from "./redirects.ts";
import { describeRefreshTokens } from "./refresh-tokens.ts";
import { describeRequests } from "./requests.ts";
import { describeResponses } from "./responses.ts";
import { describeRevocation } from "./revocation.ts";
import { closedRooms, openRooms } from "./rooms.ts";
import { describeTokenRequests } from "./token-requests.ts";
import { describeUserinfo } from "./userinfo.ts";

const placesOpen = 500;

// Side by side: the longest of them waits half a minute, and none takes a place that another counts.
describe.concurrent("conformance", () => {
  const world = useWorld(() => ({ store: memoryStore, rooms: [...openRooms, ...closedRooms] }));
  beforeAll(() => Promise.all(openRooms.map(({ id }) => world().admin.increment(id, placesOpen))));
  afterAll(async () => {
    for (const { id } of closedRooms) {
      expect(await numbers(world(), id), id).toMatchObject({ queued: 0, live_admissions: 0 });
    }
  });

  describeCodeReuse(world);
  describePrompts(world);
  describeResponses(world);
  describeUserinfo(world);
  describeRequests(world);
  describeLogout(world);
  describeMetadata(world);
  describePkce(world);
  describeRedirects(world);
  describeTokenRequests(world);
  describeRefreshTokens(world);
  describeBearerTokens(world);
  describeRevocation(world);
  describeIntrospection(world);
});

describe("the configuration of an issuer by https", () => {
  // TLS ends in front of it; what it says of itself is the same.
  const world = useWorld(() => ({
    store: memoryStore,
    issuer: "https://queue.example.test",
    rooms: [{ id: "op" }],
  }));
  describeConfig(world);
});
