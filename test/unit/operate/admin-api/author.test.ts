/** Whose word a request is, where a step takes the word of two people: nobody gives both. */
import { describe, expect, test } from "vitest";
import { UsherError } from "../../../../src/lib/errors.ts";
import { authorOf } from "../../../../src/operate/admin-api/four-eyes/author.ts";
import type { AdminKeyView } from "../../../../src/registry/index.ts";

const ofFile = (id: string): AdminKeyView => ({
  source: "file",
  id,
  identity: `file ${id}`,
  role: "admin",
  rooms: null,
});
const made = (id: string, by: string, rotated: { rotated_by?: string } = {}): AdminKeyView => ({
  source: "admin_api",
  id,
  identity: `made ${id}`,
  status: "active",
  role: "admin",
  rooms: null,
  registered: {
    role: "admin",
    rooms: null,
    note: null,
    secrets: [],
    created_by: by,
    created_ms: 0,
    expires_ms: null,
    maker: by.includes(":") || by.includes(" ") ? by : `made ${by}`,
    ...rotated,
  },
});
const views = [
  ofFile("ops"),
  ofFile("desk"),
  made("of-ops", "file ops"),
  made("of-of-ops", "of-ops"),
  made("of-ada", "person:ada"),
  made("orphan", "gone"),
  made("taken", "file desk", { rotated_by: "ops" }),
  made("of-taken", "taken"),
  made("one", "two"),
  made("two", "one"),
  // Its maker was a key of a name that another key has now.
  made("of-earlier-ops", "made ops"),
  made("of-earlier-desk", "file desk before"),
];
const person = (id: string) => ({ kind: "person", id: `person:${id}` }) as const;
const key = (id: string) => ({ kind: "key", id }) as const;
const author = (principal: ReturnType<typeof person> | ReturnType<typeof key>, isPeoples = false) => {
  try {
    return authorOf(principal, { adminKeys: { views }, isPeoples });
  } catch (error) {
    if (!(error instanceof UsherError)) throw error;
    return error.code;
  }
};

describe("where people sign in", () => {
  test("a person is one in any browser, and a key is nobody's", () => {
    expect(author(person("ada"), true)).toBe("person:ada");
    for (const { id } of views) expect(author(key(id), true)).toBe("forbidden");
  });
});

describe("where nobody does", () => {
  test("a key of the file stands for itself, and for the keys made with it", () => {
    expect(author(key("ops"))).not.toBe(author(key("desk")));
    for (const id of ["of-ops", "of-of-ops"]) expect(author(key(id))).toBe(author(key("ops")));
    expect(author(key("of-ada"))).toBe(author(person("ada")));
  });

  test("a key whose maker is not known any more, or that came from itself, is nobody's", () => {
    for (const id of ["orphan", "one", "two", "unknown", "of-earlier-ops", "of-earlier-desk"])
      expect(author(key(id))).toBe("forbidden");
  });

  test("a key that another than its maker rotated is nobody's, and so are those made with it", () => {
    for (const id of ["taken", "of-taken"]) expect(author(key(id))).toBe("forbidden");
  });
});
