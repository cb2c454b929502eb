// Long: fetches the signers from PyPI.
import { afterAll, beforeAll, expect, test } from "vitest";
import { memoryStore, useWorld } from "../../../e2e/world.ts";
import { homeOf, privatePath } from "../support/home-client.ts";
import { type PythonCall, startPythonSigners } from "../support/python-signers.ts";

const world = useWorld(() => ({
  store: memoryStore,
  rooms: [{ id: "tickets" }, { id: "other" }],
  config: homeOf({ Sample: "tickets", "a.b~c-d": "other" }),
}));
let signers: Awaited<ReturnType<typeof startPythonSigners>>;

beforeAll(async () => {
  signers = await startPythonSigners();
}, 300_000);
afterAll(() => signers?.stop());

test.each(["botocore", "aws-requests-auth"] as const)(
  "takes what %s signs, and nothing signed with another secret",
  async (signer) => {
    const url = (name: string, query = "") => `${world().issuer}${privatePath}/${name}${query}`;
    const calls: PythonCall[] = [
      { signer, method: "POST", url: url("increment_serving_counter"), body: { event_id: "Sample", increment_by: 1 } },
      { signer, method: "GET", url: url("num_active_tokens", "?event_id=Sample") },
      { signer, method: "GET", url: url("num_active_tokens", "?event_id=a.b~c-d") },
      { signer, method: "GET", url: url("num_active_tokens", "?z=1&event_id=Sample&a=2") },
      { signer, method: "GET", url: url("num_active_tokens", "?event_id=Sample&x=a%20b") },
    ];
    const none = [200, { active_tokens: 0 }];
    expect(await signers.ask(calls)).toEqual([[200, { serving_num: expect.any(Number) }], none, none, none, none]);
    const refused = await signers.ask(calls, "x".repeat(40));
    expect(refused.map(([status]) => status)).toEqual(calls.map(() => 403));
  },
);
