import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { exportJWK, exportPKCS8, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { createInvitationVerifier } from "../../../../src/oidc/gate/invitation-verifier.ts";
import { tempDirOfTest } from "../../../support/temp-dir-of-test.ts";
import { runUsher } from "../../../support/usher-command.ts";

const issuer = "https://queue.example.com";
const secret = "secret-of-the-mailing-0123456789abcdef";
const folder = tempDirOfTest("invite");
const at = (name: string) => join(folder, name);
const classes = [{ id: "members" }, { id: "friends" }];
let publicJwk: Record<string, unknown>;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  publicJwk = { ...(await exportJWK(publicKey)) };
  writeFileSync(at("private.pem"), await exportPKCS8(privateKey));
  writeFileSync(at("private.json"), JSON.stringify(await exportJWK(privateKey)));
  const rooms = [
    { id: "shop", entry: "invited", invitations: { secret: { from: "env", name: "INVITATIONS" }, classes } },
    { id: "signed", entry: "invited", invitations: { jwks: { keys: [publicJwk] } } },
    { id: "open" },
  ];
  writeFileSync(at("usher.yaml"), stringify({ issuer, rooms }));
});

function invite(csv: string, room = "shop", ...more: string[]) {
  writeFileSync(at("people.csv"), csv);
  const args = ["invite", at("people.csv"), "--config", at("usher.yaml"), "--room", room, ...more];
  return runUsher(args, { env: { INVITATIONS: secret } });
}
const verify = createInvitationVerifier({ room: "shop", audience: issuer }, { secrets: [secret], classes } as never, {
  now: () => Date.now(),
});
const tokenIn = (link = "") => new URL(link).searchParams.get("invitation") ?? "";
const dayMs = 86_400_000;

describe("usher invite", () => {
  test("prints the file with a link for each row, whose class and end are those of the row", async () => {
    const inTenDays = new Date(Date.now() + 10 * dayMs).toISOString().slice(0, 19);
    const csv = `\uFEFFname,E-Mail,class,expires\r\n"Ann, the first",ann@example.com,members,${inTenDays}Z\r\nBob,bob@example.com,,\r\n`;
    const { code, printed, failure } = await invite(csv, "shop", "--key-column", "e-mail", "--expires", "3");
    expect([code, failure]).toEqual([0, ""]);
    const rows = parse(printed) as string[][];
    expect(rows[0]).toEqual(["name", "E-Mail", "class", "expires", "link"]);
    expect(rows.map((row) => row[0])).toEqual(["name", "Ann, the first", "Bob"]);
    const [, ann, bob] = await Promise.all(rows.map((row, index) => (index === 0 ? null : verify(tokenIn(row[4])))));
    expect(ann).toEqual({ key: "ann@example.com", classId: "members", expiresMs: Date.parse(`${inTenDays}Z`) });
    expect(bob).toMatchObject({ key: "bob@example.com", classId: "" });
    const leftMs = (bob as { expiresMs: number }).expiresMs - Date.now();
    expect(Math.abs(leftMs - 3 * dayMs)).toBeLessThan(60_000);
  });

  test("takes semicolons, and quotes with line breaks in them", async () => {
    const { printed } = await invite('email;note\nann@example.com;"two\nlines"\nbob@example.com;\n');
    expect((parse(printed) as string[][]).map((row) => row.slice(0, 2))).toEqual([
      ["email", "note"],
      ["ann@example.com", "two\nlines"],
      ["bob@example.com", ""],
    ]);
  });

  test("writes a new file that only its owner can read, and replaces none", async () => {
    const out = at("links.csv");
    const { code, printed } = await invite("email\nann@example.com\n", "shop", "--out", out);
    expect([code, printed]).toEqual([0, expect.stringContaining(`1 invitations are in ${out}`)]);
    expect(printed).not.toContain("eyJ");
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(readFileSync(out, "utf8")).toContain("/rooms/shop/enter?invitation=eyJ");
    const again = await invite("email\nann@example.com\n", "shop", "--out", out);
    expect([again.code, again.failure]).toEqual([1, expect.stringContaining("is there already")]);
  });

  test("tells all that is wrong, by line, and makes nothing then", async () => {
    const csv = [
      "email,class,expires",
      "ann@example.com,members,",
      ",members,",
      '"ann@example.com",friends,',
      "bob@example.com,press,",
      "carl@example.com,,soon",
      "dora@example.com,,2020-01-01T10:00Z",
      `${"x".repeat(257)},,`,
    ].join("\n");
    const { code, printed, failure } = await invite(csv);
    expect([code, printed]).toEqual([1, ""]);
    expect(failure.split("\n")).toEqual([
      "line 3: no email",
      "line 4: the same email as in line 2",
      'line 5: no such class, "press": there are members, friends',
      expect.stringMatching(/^line 6: expected a time/),
      "line 7: expires is over",
      "line 8: email has more than 256 characters",
    ]);
  });

  test.each([
    ["", "shop", /the file is empty/],
    [
      "name,mail\nann,a@example.com\n",
      "shop",
      /line 1: there is no column email \(--key-column\); there are name, mail/,
    ],
    ['email\n"ann\n', "shop", /this is no CSV/],
    ["email\nann@example.com\n", "open", /is open to everybody/],
    ["email\nann@example.com\n", "other", /there is no room other/],
    ["email\nann@example.com\n", "signed", /--private-key/],
  ])("refuses %j for %s", async (csv, room, message) => {
    const { code, printed, failure } = await invite(csv, room);
    expect([code, printed, failure]).toEqual([1, "", expect.stringMatching(message)]);
  });

  test.each(["private.pem", "private.json"])("signs with a private key: %s", async (file) => {
    const { code, printed } = await invite("email\nann@example.com\n", "signed", "--private-key", at(file));
    expect(code).toBe(0);
    const ofSigned = createInvitationVerifier(
      { room: "signed", audience: issuer },
      { secrets: [], classes: [], jwks: { keys: [publicJwk] } } as never,
      { now: () => Date.now() },
    );
    expect(await ofSigned(tokenIn((parse(printed) as string[][])[1]?.[1]))).toMatchObject({ key: "ann@example.com" });
  });

  test("takes days within a year", async () => {
    for (const days of ["0", "367", "x"]) expect((await invite("email\na\n", "shop", "--expires", days)).code).toBe(2);
  });
});
