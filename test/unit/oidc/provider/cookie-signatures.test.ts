import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createCookieSignatures } from "../../../../src/oidc/provider/corrections.ts";

const [first, second] = ["first key of the cookies 0123456789", "second key of the cookies 0123456789"];
const data = "usher.session=abc";
const macOf = (hash: string, key: string) => createHmac(hash, key).update(data).digest("base64url");

test("the first key signs with SHA-256, and all verify", () => {
  const { sign, verify, index } = createCookieSignatures([first, second]);
  expect(sign(data)).toBe(macOf("sha256", first));
  expect([macOf("sha256", first), macOf("sha256", second)].map((each) => index(data, each))).toEqual([0, 1]);
  expect(verify(data, macOf("sha256", second))).toBe(true);
});

test("no other value, another hash or a part of the right one is a signature", () => {
  const { verify, index } = createCookieSignatures([first]);
  const right = macOf("sha256", first);
  for (const wrong of ["", right.slice(0, 40), macOf("sha1", first), macOf("sha512", first), macOf("sha256", second)]) {
    expect(index(data, wrong), wrong).toBe(-1);
  }
  expect(verify("usher.session=abd", right)).toBe(false);
});
