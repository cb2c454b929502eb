import { expect, test } from "vitest";
import { filesNamedIn } from "../../../../src/features/preview/scenery.ts";

test("finds what a configuration names beside it, however broken the rest is", () => {
  const text = `
issuer: https://queue.example.com   # see ../notes.md
locales: ./locales
rooms:
  - { id: tickets, theme: { logo: { file: "logos/acme.svg", dark_file: 'dark.png' }, views: views } }
    targets: ["https://shop.example.com/*", /etc/passwd]
  broken: [
    folder: .
    above: ..
`;
  const found = filesNamedIn(text, "/srv/usher");
  for (const name of ["locales", "logos/acme.svg", "dark.png", "views", "tickets"]) {
    expect(found).toContain(`/srv/usher/${name}`);
  }
  expect(found).toContain("/srv/notes.md");
  for (const name of ["/srv/usher", "/srv", "/", "/etc/passwd"]) expect(found).not.toContain(name);
  expect(found.filter((path) => path.includes("example.com"))).toEqual([]);
});

test("does not look at more than it can", () => {
  const text = Array.from({ length: 10_000 }, (_, index) => `file${index}`).join(" ");
  expect(filesNamedIn(text, "/srv")).toHaveLength(2_000);
});
