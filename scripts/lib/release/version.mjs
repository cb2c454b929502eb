import { readFileSync } from "node:fs";
import { inRoot } from "../paths.mjs";

/** Where files of a release are put. */
export const releaseFolder = inRoot("artifacts", "release");

const read = (...path) => readFileSync(inRoot(...path), "utf8");

export const releaseVersion = () => JSON.parse(read("package.json")).version;

/** What is new in this version: its part of the changelog, with its date; null where it has none. */
export function changesOf(version, changelog = read("CHANGELOG.md")) {
  const parts = changelog.split(/^(?=## \[)/m);
  const part = parts.find((each) => each.startsWith(`## [${version}]`));
  if (part === undefined) return null;
  const [title = "", ...lines] = part.split("\n");
  return {
    date: /^## \[[^\]]+\] - (\d{4}-\d{2}-\d{2})$/.exec(title)?.[1] ?? null,
    isFirst: parts[1] === part,
    text: `${lines.join("\n").trim()}\n`,
  };
}

/** By GitHub's program, with what the changelog says as its notes. */
export function publishCommand(tag) {
  const files = "artifacts/release/usher*";
  const notes = ["--notes-file", "artifacts/release/notes.md"];
  // The shell names the files: there is one for each kind that could be made.
  return [
    "sh",
    "-c",
    `gh release create ${tag} --verify-tag --title ${tag} ${notes.join(" ")} ${files} artifacts/release/SHA256SUMS`,
  ];
}
