/** How a room's provider is read: with its secret resolved, and `openid` among what is asked for. */
import { expect, test } from "vitest";
import { loadConfig } from "../../../support/load-config.ts";

const load = async (identity: object) => {
  const document = {
    issuer: "https://queue.example.com",
    rooms: [{ id: "a" }, { id: "b", identity }],
    store: { type: "memory" },
  };
  const { config } = await loadConfig({ document, env: { SECRET: "secret-of-usher-0123456789" } });
  return config.issuers[0]?.rooms.map((room) => room.identity);
};
const written = {
  issuer: "https://id.example.com/realms/shop",
  client_id: "usher",
  client_secret: { from: "env", name: "SECRET" },
};
const read = {
  issuer: "https://id.example.com/realms/shop",
  clientId: "usher",
  clientSecret: "secret-of-usher-0123456789",
};

test("with defaults, and with all that can be set", async () => {
  expect(await load(written)).toEqual([
    null,
    {
      ...read,
      tokenEndpointAuthMethod: "client_secret_basic",
      scopes: ["openid", "profile", "email"],
      claims: [],
    },
  ]);
  const all = { token_endpoint_auth_method: "client_secret_post", scopes: ["email"], claims: ["email"] };
  expect(await load({ ...written, ...all })).toEqual([
    null,
    { ...read, tokenEndpointAuthMethod: "client_secret_post", scopes: ["openid", "email"], claims: ["email"] },
  ]);
});
