import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { inRoot } from "./paths.mjs";
import { NOT_BUNDLED } from "./program.mjs";
import { run } from "./run.mjs";

const PROGRAM = "usr/lib/usher";
/** Kept as the machine's administrator has changed them. */
const CONFIGURATION_FILES = ["etc/usher/usher.yaml"];
const DOCUMENTATION = "usr/share/doc/usher";

/**
 * Builds the package of what is in dist/ into a folder, and answers its path. What the machine is told (unit, user, scripts of the
 * package) is in deploy/systemd and deploy/debian.
 *
 * @throws Error where dpkg-deb is missing or fails
 */
export async function buildDebianPackage(outFolder) {
  const { version, description } = readJson("package.json");
  const staged = mkdtempSync(join(tmpdir(), "usher-deb-"));
  try {
    // The folder itself becomes /, and is made for its owner alone.
    chmodSync(staged, 0o755);
    stageProgram(staged);
    stageMachine(staged);
    stageDocumentation(staged, version);
    makeReadable(staged);
    stageControl(staged, { version, description });
    mkdirSync(outFolder, { recursive: true });
    const file = resolve(outFolder, `usher_${version}_all.deb`);
    const code = await run("dpkg-deb", ["--root-owner-group", "-Zxz", "--build", staged, file], { quiet: true });
    if (code !== 0) throw new Error(`dpkg-deb ended with ${code}`);
    return file;
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
}

/** The program, and the packages that are not bundled with it. */
function stageProgram(staged) {
  const to = (path) => join(staged, PROGRAM, path);
  const isDemo = (path) => relative(inRoot("dist"), path).startsWith("demo");
  cpSync(inRoot("dist"), to("dist"), { recursive: true, filter: (path) => !isDemo(path) });
  cpSync(inRoot("views"), to("views"), { recursive: true });
  cpSync(inRoot("package.json"), to("package.json"));
  // Settings of their authors' tools (.eslintrc, .npmignore) stay behind.
  const isSetting = (path) => basename(path).startsWith(".");
  for (const name of packagesBeside()) {
    const path = join("node_modules", name);
    cpSync(inRoot(path), to(path), { recursive: true, filter: (each) => !isSetting(each) });
  }
  mkdirSync(join(staged, "usr/bin"), { recursive: true });
  symlinkSync("../lib/usher/dist/main.js", join(staged, "usr/bin/usher"));
}

function stageMachine(staged) {
  for (const unit of ["usher.service", "usher-backup.service", "usher-backup.timer"])
    copy(staged, `deploy/systemd/${unit}`, `usr/lib/systemd/system/${unit}`);
  copy(staged, "deploy/debian/usher.sysusers", "usr/lib/sysusers.d/usher.conf");
  copy(staged, "deploy/debian/usher.yaml", "etc/usher/usher.yaml");
  copy(staged, "deploy/debian/lintian-overrides", "usr/share/lintian/overrides/usher");
}

function stageDocumentation(staged, version) {
  copy(staged, "deploy/debian/copyright", `${DOCUMENTATION}/copyright`);
  copy(staged, "config/usher.example.yaml", `${DOCUMENTATION}/examples/usher.yaml`);
  copy(staged, "deploy/monitoring", `${DOCUMENTATION}/examples/monitoring`);
  copy(staged, "docs", `${DOCUMENTATION}/docs`);
  const packages = productionPackages().map((path) => {
    const { name, version, license } = readJson(`${path}/package.json`);
    return `${name} ${version} ${license}\n`;
  });
  writeFileSync(join(staged, DOCUMENTATION, "packages.txt"), packages.join(""));
  const changes = `usher (${version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- Usher <usher@localhost>  ${date()}\n`;
  writeFileSync(join(staged, DOCUMENTATION, "changelog.gz"), gzipSync(changes, { level: 9 }));
  writeFileSync(join(staged, DOCUMENTATION, "NEWS.gz"), gzipSync(readFileSync(inRoot("CHANGELOG.md")), { level: 9 }));
}

function stageControl(staged, { version, description }) {
  const files = filesBelow(staged);
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(staged, file)).length, 0);
  const control = {
    Package: "usher",
    Version: version,
    Architecture: "all",
    Maintainer: "Usher <usher@localhost>",
    "Installed-Size": Math.ceil(bytes / 1024),
    Depends: `nodejs (>= ${readJson("package.json").engines.node.replace(">=", "")}), systemd | systemd-standalone-sysusers`,
    Recommends: "redis-server (>= 5:6.2) | valkey-server",
    Suggests: "nginx",
    Section: "web",
    Priority: "optional",
    Description: `${description.replace(/^A /, "")}\n ${LONG_DESCRIPTION.join("\n ")}`,
  };
  const dir = join(staged, "DEBIAN");
  mkdirSync(dir);
  const write = (name, text) => writeFileSync(join(dir, name), text);
  write(
    "control",
    Object.entries(control)
      .map(([key, value]) => `${key}: ${value}\n`)
      .join(""),
  );
  write("conffiles", CONFIGURATION_FILES.map((file) => `/${file}\n`).join(""));
  const sum = (file) =>
    createHash("md5")
      .update(readFileSync(join(staged, file)))
      .digest("hex");
  write(
    "md5sums",
    files
      .filter((file) => !CONFIGURATION_FILES.includes(file))
      .map((file) => `${sum(file)}  ${file}\n`)
      .join(""),
  );
  for (const script of ["postinst", "prerm", "postrm"]) {
    cpSync(inRoot("deploy", "debian", script), join(dir, script));
    chmodSync(join(dir, script), 0o755);
  }
}

const LONG_DESCRIPTION = [
  "Visitors line up before a site instead of taking it down. A load balancer, a",
  "reverse proxy or a CMS uses Usher as its login provider (OpenID Connect), or",
  "asks it about each request (forward authentication). Visitors get a place in",
  "line, and enter the site when it is their turn.",
];

/** Names of the packages that the program imports, and of all that they need. Those within others come by themselves. */
function packagesBeside() {
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const needed of Object.keys(readJson(`node_modules/${name}/package.json`).dependencies ?? {})) add(needed);
  };
  for (const name of NOT_BUNDLED) add(name);
  return [...found].sort();
}

/** Folders of all packages that are in the program or beside it, by the lock file. */
function productionPackages() {
  const { packages } = readJson("package-lock.json");
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional && existsSync(inRoot(path)))
    .map(([path]) => path)
    .sort();
}

/** Whatever the clone's files may be read by: everybody reads these, and programs alone are executable. */
function makeReadable(staged) {
  for (const entry of readdirSync(staged, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  chmodSync(join(staged, PROGRAM, "dist/main.js"), 0o755);
}

function copy(staged, from, to) {
  mkdirSync(dirname(join(staged, to)), { recursive: true });
  cpSync(inRoot(from), join(staged, to), { recursive: true });
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const readJson = (path) => JSON.parse(readFileSync(inRoot(path), "utf8"));

/** As in RFC 5322, of SOURCE_DATE_EPOCH where that is given: the package is the same then whenever it is built. */
function date() {
  const ms = process.env.SOURCE_DATE_EPOCH === undefined ? Date.now() : Number(process.env.SOURCE_DATE_EPOCH) * 1000;
  return new Date(ms).toUTCString().replace("GMT", "+0000");
}
