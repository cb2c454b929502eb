/** Goal: a client is known by its secret, whether or not it encodes it before it puts it into `Basic`, and by nothing else. */
import { describe, expect, test } from "vitest";
import { clientId, memoryStore, useWorld } from "../world.ts";

const secrets = {
  plus: "q8+Zk/3n+8Hq2m0eQ+1x/7A=",
  percent: "100%-of-the-secret-%zz-and-%41",
  // Each reading is another secret.
  both: "a+secret+of+%2B+words",
  space: "a secret with spaces in it",
  plain: "nothing-to-encode-0123456789",
};
type Room = keyof typeof secrets;
const rooms = Object.keys(secrets) as Room[];

describe("a client secret in Basic", () => {
  const world = useWorld(() => ({
    store: memoryStore,
    rooms: rooms.map((id) => ({ id, client: { client_secret: secrets[id] } })),
  }));

  async function ask(id: string, secret: string, path = "/token") {
    const answer = await world().http.request(`${world().issuer}${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        code: "x",
        redirect_uri: "https://a/",
        token: "x",
      }),
    });
    return answer.body === "" ? answer.status : ((answer.json() as { error?: string }).error ?? answer.status);
  }
  const formEncoded = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");

  test.each(rooms)("counts as it stands, and encoded (%s)", async (room) => {
    const id = clientId(room);
    for (const secret of [secrets[room], formEncoded(secrets[room]), encodeURIComponent(secrets[room])]) {
      expect([secret, await ask(id, secret)]).toEqual([secret, "invalid_grant"]);
    }
    for (const path of ["/introspect", "/revoke"]) {
      expect(await ask(id, secrets[room], path), path).not.toBe("invalid_client");
    }
  });

  test.each(rooms)("counts in no third reading, nor beside another id (%s)", async (room) => {
    const other = room === "plain" ? "plus" : "plain";
    const twice = encodeURIComponent(encodeURIComponent(secrets[room]));
    for (const [id, secret] of [
      [clientId(room), `${secrets[room]}x`],
      [clientId(room), secrets[room].slice(1)],
      [clientId(room), "%"],
      [clientId(room), "%zz%"],
      ...(room === "plain" ? [] : [[clientId(room), twice] as const]),
      [clientId(other), secrets[room]],
      ["nobody", secrets[room]],
    ] as const) {
      expect([id, secret, await ask(id, secret)]).toEqual([id, secret, "invalid_client"]);
    }
  });
});
