/** Documents name no release that does not exist. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");

const parts = [...read("CHANGELOG.md").matchAll(/^## \[(\d+\.\d+\.\d+)\] - (\S+)$/gm)];
const released = parts.flatMap(([, version = "", date = ""]) => (/^\d{4}-\d\d-\d\d$/.test(date) ? [version] : []));
const { version: current }: { version: string } = JSON.parse(read("package.json"));

/** A version of Usher by the way that it is written; `X.Y.Z` stands for any. */
const ofUsher = [
  // Tags. Links to other projects' have a path before them.
  /(?<![\w/.-]|Node\.js )v(\d+\.\d+\.\d+)(?!\.?\d)/g,
  // Files, images and packages.
  /\busher(?:-chart)?[-_:@]v?(\d+\.\d+\.\d+)(?!\.?\d)/g,
];
/** Versions in these pages are releases, however they are written. */
const ofReleases = ["docs/release.md", "docs/upgrade.md"];
const versionsIn = (page: string, text: string): string[] => {
  const patterns = ofReleases.includes(page) ? [...ofUsher, /(?<![\w.])(\d+\.\d+\.\d+)(?!\.?\d)/g] : ofUsher;
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, version = ""]) => version));
};
const pages = ["", "docs/", "deploy/", ".github/"]
  .flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: folder !== "", encoding: "utf8" }).map((file) => folder + file),
  )
  .filter((file) => /\.(?:md|ya?ml)$/.test(file) && file !== "CHANGELOG.md");

describe("releases that documents name", () => {
  test("are in the changelog with their date, or are the version that this tree builds", () => {
    expect(released.length).toBeGreaterThan(0);
    expect(pages).toEqual(expect.arrayContaining([...ofReleases, "README.md"]));
    const unknown = pages.flatMap((page) =>
      versionsIn(page, read(page))
        .filter((version) => !released.includes(version) && (version !== current || ofReleases.includes(page)))
        .map((version) => `${page}: ${version}`),
    );
    expect(unknown).toEqual([]);
  });

  test.each([
    ["docs/release.md", "A release is a tag `v1.2.3`.", ["1.2.3"]],
    ["docs/upgrade.md", "from 9.9.9 on", ["9.9.9"]],
    ["docs/upgrade.md", "X.Y.Z, port 127.0.0.1, RFC 1.2", []],
    ["docs/deploy.md", "git checkout v9.9.9", ["9.9.9"]],
    [
      "docs/deploy.md",
      "usher_9.9.9_all.deb, ghcr.io/o/usher:9.9.9, usher-chart-9.9.9.tgz",
      ["9.9.9", "9.9.9", "9.9.9"],
    ],
    ["docs/deploy.md", "https://github.com/o/spec/blob/v1.0.2/spec.md, Traefik 3.7.12", []],
  ])("are found: %s, %s", (page, text, versions) => {
    expect(versionsIn(page, text)).toEqual(versions);
  });
});
