// Long: builds a release and installs it.
/**
 * Goal: what a release consists of works where it is unpacked. Method: the files are made as the release makes them; the package is installed
 * in an empty folder, runs, and is imported and type-checked there; the Dockerfile's steps are done by hand, and its command is started.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_KEY } from "../../support/gateway.ts";
import { answers, freePort } from "../../support/ports.ts";
import { startProcess } from "../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../support/temp-dir.ts";

const runFile = promisify(execFile);
const root = fileURLToPath(new URL("../../../", import.meta.url));
const release = join(root, "artifacts", "release");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const version: string = manifest.version;
const dependencies = Object.keys(manifest.dependencies);
const timeout = 600_000;
let folder: TempDir;

/** What `npm` and the programs that it starts need, and nothing of the tests' own. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|npm_)/.test(name)),
);
const npm = (cwd: string, ...args: string[]) => runFile("npm", args, { cwd, env, maxBuffer: 64e6 });

beforeAll(async () => {
  folder = await makeTempDir("package");
  await npm(root, "run", "release", "--", "files");
}, timeout);
afterAll(() => folder.remove());

/** Serves a room with this program, and asks what a load balancer and a visitor ask. */
async function expectToServe(command: string, args: readonly string[], cwd: string, state: string): Promise<void> {
  const port = await freePort();
  const config = join(folder.path, `usher-${port}.yaml`);
  writeFileSync(
    config,
    JSON.stringify({
      issuer: `http://localhost:${port}`,
      listen: { host: "127.0.0.1", port },
      rooms: [
        {
          id: "tickets",
          title: "Autumn tour tickets",
          inlet: { type: "manual" },
          targets: ["https://shop.example.com/"],
        },
      ],
    }),
  );
  const own = {
    USHER_SECRETS_FILE: join(state, "secrets.json"),
    USHER_ADMIN_API_KEY: ADMIN_KEY,
    PATH: process.env.PATH ?? "",
  };
  const program = startProcess({
    name: "the released program",
    command,
    args: [...args, "serve", "--config", config],
    env: { ...own, NODE_ENV: "production" },
    cwd,
  });
  try {
    await program.waitUntil("answer of /healthz", () => answers(`http://127.0.0.1:${port}/healthz`));
    const page = await fetch(`http://localhost:${port}/rooms/tickets/enter?target=https://shop.example.com/`, {
      headers: { accept: "text/html" },
    });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Autumn tour tickets")]);
    const console = await fetch(`http://localhost:${port}/console/sign-in`, { redirect: "manual" });
    expect(console.status).toBeLessThan(400);
  } finally {
    expect((await program.stop()).code).toBe(0);
  }
}

test("the sums are those of the files, and the lists name what is shipped and nothing else", { timeout }, () => {
  const sums = readFileSync(join(release, "SHA256SUMS"), "utf8").trim().split("\n");
  expect(sums.length).toBeGreaterThanOrEqual(3);
  for (const line of sums) {
    const [sum, name = ""] = line.split("  ");
    expect(
      createHash("sha256")
        .update(readFileSync(join(release, name)))
        .digest("hex"),
    ).toBe(sum);
  }
  const { components, metadata } = JSON.parse(
    readFileSync(join(release, `usher-${version}.cyclonedx.json`), "utf8"),
  ) as {
    components: { group?: string; name: string }[];
    metadata: { component: { name: string } };
  };
  expect(metadata.component.name).toBe("usher");
  const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  expect(names).toEqual(expect.arrayContaining(dependencies));
  expect(names).not.toContain("vitest");
});

test("the package is installed, runs, and is imported with its types", { timeout }, async () => {
  const site = join(folder.path, "site");
  mkdirSync(site);
  writeFileSync(join(site, "package.json"), JSON.stringify({ name: "site", private: true, type: "module" }));
  await npm(
    site,
    "install",
    join(release, `usher-${version}.tgz`),
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--prefer-offline",
  );
  const usher = join(site, "node_modules", ".bin", "usher");
  expect((await runFile(usher, ["--version"], { cwd: site, env })).stdout.trim()).toBe(version);
  expect(existsSync(join(site, "node_modules", "usher", "dist", "demo"))).toBe(false);
  await expectToServe(usher, [], site, join(folder.path, "state-of-package"));

  // They are of features, which may have been taken away.
  const exported = [
    ["invitations", "createInvitationSigner", "usher/tokens"],
    ["verify", "createAdmissionVerifier", "usher/verify"],
  ].filter(([feature = ""]) => existsSync(join(root, "dist", "features", feature)));
  writeFileSync(
    join(site, "use.ts"),
    exported
      .map(
        ([, name, module]) => `import { ${name} } from "${module}";
// @ts-expect-error: the types are those of the functions, and not any
const not_${name}: number = ${name};
console.log("${name}", typeof not_${name});
`,
      )
      .join(""),
  );
  const typescript = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = [
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--skipLibCheck",
    "--types",
    "node",
    "--typeRoots",
    join(root, "node_modules", "@types"),
  ];
  await runFile(process.execPath, [typescript, ...options, "use.ts"], { cwd: site }).catch(
    (error: { stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  const { stdout } = await runFile(process.execPath, ["use.js"], { cwd: site });
  for (const [, name] of exported) expect(stdout).toContain(`${name} function`);
});

test("the Dockerfile's steps, done by hand, make a program that runs without what built it", { timeout }, async () => {
  const lines = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll("\\\n", " ").split("\n");
  const stages: {
    copies: { from: string | null; sources: string[]; to: string }[];
    runs: string[];
    env: string[];
    entry: string[];
  }[] = [];
  for (const line of lines) {
    const [, instruction = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (instruction === "FROM") stages.push({ copies: [], runs: [], env: [], entry: [] });
    else if (instruction === "COPY") {
      const words = rest.split(" ");
      const from = words[0]?.startsWith("--from=") ? (words.shift()?.slice(7) ?? null) : null;
      stage?.copies.push({ from, sources: words.slice(0, -1), to: words.at(-1) ?? "" });
    } else if (instruction === "RUN") stage?.runs.push(rest);
    else if (instruction === "ENTRYPOINT") stage?.entry.push(...(JSON.parse(rest) as string[]));
  }
  const [build, shipped] = stages;
  if (build === undefined || shipped === undefined || stages.length !== 2) throw new Error("two stages were expected");
  const [built, image] = ["build", "image"].map((name) => join(folder.path, name, "app")) as [string, string];
  const place = (from: string, { sources, to }: { sources: string[]; to: string }, app: string) => {
    for (const source of sources) {
      const target = join(app, to);
      const isFolder = !/\.\w+$/.test(source.split("/").at(-1) ?? "") && source !== "LICENSE" && source !== ".npmrc";
      cpSync(
        join(from, source.replace(/^\/app\//, "")),
        isFolder ? target : join(target, source.split("/").at(-1) ?? ""),
        { recursive: true },
      );
    }
  };
  mkdirSync(built, { recursive: true });
  const text = lines.join("\n");
  expect(text.indexOf("RUN npm ci")).toBeLessThan(text.indexOf("COPY src"));
  for (const copy of build.copies) place(root, copy, built);
  for (const command of build.runs) await runFile("sh", ["-c", command], { cwd: built, env, maxBuffer: 64e6 });
  mkdirSync(image, { recursive: true });
  for (const copy of shipped.copies) place(copy.from === null ? root : built, copy, image);
  expect(existsSync(join(image, "node_modules", "typescript"))).toBe(false);
  expect([existsSync(join(image, "src")), existsSync(join(image, "dist", "demo"))]).toEqual([false, false]);
  const [command = "", ...args] = shipped.entry;
  expect(command).toBe("node");
  await expectToServe(process.execPath, args, image, join(folder.path, "state-of-image"));
});
