import { expect, it } from "vitest";
import { keyName } from "../../../src/config/key-names.ts";
import { cookieKeyId, readDrawKey, readTicketKey } from "../../../src/config/mac-key.ts";

const secrets = Array.from({ length: 500 }, (_, index) => `secret ${index}`);

it.each([
  ["ticket", (secret: string) => readTicketKey(secret).kid],
  ["draw", (secret: string) => readDrawKey(secret).kid],
  ["cookie", cookieKeyId],
])("no %s key has a name that a command would take for an option", (_, nameOf) => {
  const names = secrets.map(nameOf);
  expect(names.filter((name) => !/^\w[\w-]{7}$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(secrets.length);
});

it("is base64url from the second character on", () => {
  expect(keyName(Buffer.from("fbefbeff", "hex"), 4)).toBe("_---");
  expect(keyName(Buffer.from("03e0", "hex"), 2)).toBe("A-");
});
