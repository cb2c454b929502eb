/** What a release is checked for, what its image is built by, and that its workflow runs nothing but scripts that run anywhere. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface CheckModule {
  checkRelease(of: { tag?: string; read?: (path: string) => string | null; changed?: () => string[] }): string[];
}
interface ImageModule {
  imageCommands(of: { name: string; version: string; isPushed: boolean; digest?: string }): string[][];
}
interface VersionModule {
  changesOf(version: string, changelog: string): { date: string | null; isFirst: boolean; text: string } | null;
}
const load = async (name: string) => import(new URL(`../../../scripts/lib/release/${name}.mjs`, import.meta.url).href);
const { checkRelease } = (await load("check")) as CheckModule;
const { imageCommands } = (await load("image")) as ImageModule;
const { changesOf } = (await load("version")) as VersionModule;

const changelog =
  "# Changelog\n\n## [1.2.0] - 2027-03-02\n\n### Added\n\n- A thing.\n\n## [1.1.0] - 2027-01-01\n\nOld.\n";
const tree: Record<string, string> = {
  "package.json": '{"version":"1.2.0"}',
  "package-lock.json": '{"version":"1.2.0"}',
  "CHANGELOG.md": changelog,
  "README.md": "Version 1.2.0: what has changed",
  "deploy/helm/usher/Chart.yaml": 'version: 1.2.0\nappVersion: "1.2.0"\n',
};
const check = (changes: Record<string, string> = {}, tag?: string, changed: string[] = []) =>
  checkRelease({
    ...(tag && { tag }),
    read: (path) => ({ ...tree, ...changes })[path] ?? null,
    changed: () => changed,
  });

describe("a release", () => {
  it("is one where version, changelog, chart and tag belong together", () => {
    expect(check({}, "v1.2.0")).toEqual([]);
    expect(check()).toEqual([]);
  });

  it("tells all that is wrong at once", () => {
    const wrong = {
      "package-lock.json": '{"version":"1.1.0"}',
      "CHANGELOG.md": "# Changelog\n\n## [1.3.0] - unreleased\n\n## [1.2.0] - unreleased\n",
      "README.md": "Version 1.1.0:",
      "deploy/helm/usher/Chart.yaml": "appVersion: 1.1.0",
      "docs/aws.md": "an image registry.example.com/usher:1.1.0",
    };
    expect(check(wrong, "v1.3.0", ["src/app/app.ts"])).toEqual([
      expect.stringContaining("package-lock.json has another version"),
      expect.stringContaining("has no date"),
      expect.stringContaining("is not the first part"),
      expect.stringContaining("README.md"),
      expect.stringContaining("Chart.yaml"),
      "docs/aws.md names usher:1.1.0: it is another version's",
      "the tag v1.3.0 is not v1.2.0",
      "src/app/app.ts is not committed",
    ]);
    expect(check({ "package.json": '{"version":"1.2.0-rc.1"}' })).toContainEqual(
      expect.stringContaining("three numbers"),
    );
  });

  it("has its part of the changelog as its notes", () => {
    expect(changesOf("1.2.0", changelog)).toEqual({
      date: "2027-03-02",
      isFirst: true,
      text: "### Added\n\n- A thing.\n",
    });
    expect(changesOf("9.9.9", changelog)).toBeNull();
  });
});

describe("the image", () => {
  it("is built for two processors, with what is in it and how it was built, and signed by its digest", () => {
    const [build = [], sign] = imageCommands({ name: "r/usher", version: "1.2.3", isPushed: true, digest: "sha256:1" });
    expect(build.join(" ")).toMatch(
      /^docker buildx build --platform linux\/amd64,linux\/arm64 --sbom=true --provenance=mode=max/,
    );
    expect(build).toEqual(expect.arrayContaining(["r/usher:1.2.3", "r/usher:1.2", "--push"]));
    expect(sign).toEqual(["cosign", "sign", "--yes", "r/usher@sha256:1"]);
  });

  it("that is not pushed is not signed", () => {
    expect(imageCommands({ name: "r/usher", version: "1.2.3", isPushed: false })).toHaveLength(1);
  });
});

describe("the workflow of a release", () => {
  const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
  interface Job {
    needs?: string;
    permissions?: Record<string, string>;
    steps?: { run?: string; uses?: string }[];
  }
  const { jobs, permissions } = parse(read(".github/workflows/release.yaml")) as {
    jobs: Record<"test" | "files" | "image", Job>;
    permissions: Record<string, string>;
  };

  it("runs scripts of this tree alone, behind the tests", () => {
    const runs = Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
    expect(runs.length).toBeGreaterThan(4);
    for (const run of runs) expect(run).toMatch(/^npm (ci|run release) /);
    expect([jobs.files.needs, jobs.image.needs]).toEqual(["test", "test"]);
    expect(read(".github/workflows/ci.yaml")).toMatch(/^ {2}workflow_call:$/m);
  });

  it("may write what it makes, and nothing else", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.files.permissions).toEqual({ contents: "write" });
    expect(jobs.image.permissions).toEqual({ contents: "read", packages: "write", "id-token": "write" });
  });
});
