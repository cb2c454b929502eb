/** Who gets a code: the store's word on the admission counts, whatever the gate has said. */
import type { IncomingMessage } from "node:http";
import type { KoaContextWithOIDC } from "oidc-provider";
import { expect, test } from "vitest";
import type { LoginRefusal, LoginVerdict } from "../../../../src/oidc/parts.ts";
import { createAdmissionPolicy } from "../../../../src/oidc/provider/admission-policy.ts";
import type { WaitingRoom, WaitingRooms } from "../../../../src/room/index.ts";

const verdict: LoginVerdict = { room: "tickets", sub: "tickets.a", login: "login-1", grant: {} };
const loggedIn = new Error("the visitor is logged in from here on");

/** @param admission of the visitor, as the store has it */
function judge(admission: object | null, said: LoginVerdict | LoginRefusal | null = verdict, scopes = ["openid"]) {
  const room = { id: "tickets", admissions: { find: async () => admission } } as unknown as WaitingRoom;
  const rooms = { get: (id: string) => (id === "tickets" ? room : undefined) } as unknown as WaitingRooms;
  const req = {} as IncomingMessage;
  const verdicts = new WeakMap(said === null ? [] : [[req, said]]);
  const records = { ofRoom: () => null, idIn: (_: unknown, id: string) => id };
  const policy = createAdmissionPolicy({ rooms, verdicts, records } as Parameters<typeof createAdmissionPolicy>[0]);
  const oidc = {
    requestParamOIDCScopes: new Set(scopes),
    client: {},
    get session(): never {
      throw loggedIn;
    },
  };
  const [check] = policy.get("admission")?.checks ?? [];
  return check?.check({ req, oidc } as unknown as KoaContextWithOIDC);
}

const live = { sub: "tickets.a", ended: null, logins: ["login-0", "login-1"] };

test("whose admission is live, and has the login, is logged in", async () => {
  await expect(judge(live)).rejects.toBe(loggedIn);
});

test.each([
  ["no admission", null],
  ["an admission that has ended", { ...live, ended: "logout" }],
  ["an admission without this login", { ...live, logins: ["login-0"] }],
])("who has %s gets no code", async (_, admission) => {
  await expect(judge(admission)).rejects.toMatchObject({
    error: "interaction_required",
    error_description: "the visitor is not admitted",
  });
});

test.each([
  ["nothing", null, "interaction_required"],
  ["a room that there is not", { ...verdict, room: "gone" }, "interaction_required"],
  ["that the visitor is in line", "in_line", "interaction_required"],
  ["that nobody is logged in", "not_logged_in", "login_required"],
  ["that the hint names another", "other_visitor", "login_required"],
] as const)("of whom the gate says %s, nobody gets a code", async (_, said, error) => {
  await expect(judge(live, said)).rejects.toMatchObject({ error });
});

test("without the scope openid nobody gets a code", async () => {
  await expect(judge(live, verdict, ["email"])).rejects.toMatchObject({ error: "invalid_scope" });
});
