/** What an ID token and userinfo say together: whether an address is verified is said by whoever says the address. */
import { expect, test } from "vitest";
import { type Claims, withUserInfo } from "../../../src/lib/openid/login.ts";

test.each<[Claims, Claims, Claims]>([
  [{ email: "a@x" }, { email: "b@x", email_verified: true }, { email: "a@x" }],
  [{ email: "a@x" }, { email_verified: true }, { email: "a@x" }],
  [{ email_verified: true }, { email: "b@x" }, { email: "b@x" }],
  [{ email_verified: true }, { email: "b@x", email_verified: false }, { email: "b@x", email_verified: false }],
  [{ email: "a@x", email_verified: false }, { email_verified: true }, { email: "a@x", email_verified: false }],
  [{ phone_number: "1" }, { phone_number_verified: true }, { phone_number: "1" }],
  [{ phone_number_verified: true }, { phone_number: "2" }, { phone_number: "2" }],
  [
    { sub: "s", name: "A" },
    { name: "B", groups: ["x"] },
    { sub: "s", name: "A", groups: ["x"] },
  ],
])("%j with %j is %j", (claims, userInfo, together) => {
  expect(withUserInfo(claims, userInfo)).toEqual(together);
});
