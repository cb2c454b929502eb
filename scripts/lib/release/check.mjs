import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { inRoot, root } from "../paths.mjs";
import { changesOf } from "./version.mjs";

/** They name the image of this version. */
const NAMING_THE_IMAGE = [
  "deploy/helm/usher/values.yaml",
  "docs/aws.md",
  "docs/tutorials/kubernetes-in-ten-minutes.md",
];

/**
 * What keeps this tree from being a release: all that is wrong, at once.
 *
 * @param tag by which it is to be known; absent: it is not asked for yet
 * @param read the files, for tests
 */
export function checkRelease({ tag, read = readTree, changed = uncommitted }) {
  const { version } = JSON.parse(read("package.json"));
  const changes = changesOf(version, read("CHANGELOG.md"));
  const chart = read("deploy/helm/usher/Chart.yaml");
  const faults = [
    !/^\d+\.\d+\.\d+$/.test(version) && `package.json: ${version} is no version of three numbers`,
    JSON.parse(read("package-lock.json")).version !== version && "package-lock.json has another version: npm install",
    changes === null && `CHANGELOG.md has no part [${version}]`,
    changes !== null && changes.date === null && `CHANGELOG.md: [${version}] has no date such as 2027-03-02`,
    changes !== null && !changes.isFirst && `CHANGELOG.md: [${version}] is not the first part`,
    !read("README.md").includes(`Version ${version}:`) && `README.md does not say "Version ${version}:"`,
    chart !== null &&
      !new RegExp(`^appVersion: "?${version.replaceAll(".", "\\.")}"?$`, "m").test(chart) &&
      `deploy/helm/usher/Chart.yaml has another appVersion than ${version}`,
    ...NAMING_THE_IMAGE.flatMap((file) => {
      const others = [...(read(file) ?? "").matchAll(/usher:(\d+\.\d+\.\d+)/g)].filter(([, each]) => each !== version);
      return others.length === 0 ? [] : [`${file} names ${others[0][0]}: it is another version's`];
    }),
    tag !== undefined && tag !== `v${version}` && `the tag ${tag} is not v${version}`,
    ...changed().map((file) => `${file} is not committed`),
  ];
  return faults.filter((fault) => fault !== false);
}

function readTree(path) {
  return existsSync(inRoot(path)) ? readFileSync(inRoot(path), "utf8") : null;
}

function uncommitted() {
  const listed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  return listed.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}
