import { accessSync, constants, existsSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./paths.mjs";
import { fail, run } from "./run.mjs";
import { importedBy } from "./test-files.mjs";

/** Daemons live in directories that are not in everybody's PATH. */
const EXTRA_DIRECTORIES = ["/usr/sbin", "/usr/local/sbin", "/sbin"];
/** Of Debian's own Python. */
const PYTHON_PACKAGES = "/usr/lib/python3/dist-packages";
const POLICY_FILE = "/usr/sbin/policy-rc.d";

/**
 * What the tests need beside Node: real servers, a real browser, real relying parties. `isThere` answers for an
 * environment and a file system, so that it can be tested. `usedIn` names the modules of the tests that start it.
 */
export const REQUIREMENTS = [
  {
    // Also where REDIS_URL names a server: no test kills or empties one that is not its own.
    name: "redis-server",
    usedIn: ["test/support/redis-server.ts"],
    packageName: "redis-server",
    isThere: ({ find }) => find("redis-server"),
  },
  {
    name: "faketime",
    usedIn: ["test/support/redis-with-clock.ts", "test/fault/clocks-apart.ts"],
    packageName: "faketime",
    isThere: ({ find }) => find("faketime"),
  },
  { name: "openssl", usedIn: ["test/support/tls.ts"], packageName: "openssl", isThere: ({ find }) => find("openssl") },
  {
    name: "nginx",
    usedIn: ["test/support/nginx.ts", "test/support/lemonldap.ts"],
    packageName: "nginx-light",
    isThere: ({ find }) => find("nginx"),
  },
  {
    name: "varnishd",
    usedIn: ["test/support/varnish.ts"],
    packageName: "varnish",
    isThere: ({ find }) => find("varnishd"),
  },
  {
    name: "chromium (or CHROMIUM_PATH)",
    usedIn: ["test/support/chromium.ts"],
    packageName: "chromium",
    isThere: ({ env, isExecutable }) => isExecutable(env.CHROMIUM_PATH || "/usr/bin/chromium"),
  },
  {
    name: "apache2",
    usedIn: ["test/support/apache.ts"],
    packageName: "apache2-bin",
    isThere: ({ find }) => find("apache2"),
  },
  {
    name: "mod_auth_openidc for Apache",
    usedIn: ["test/support/apache.ts"],
    packageName: "libapache2-mod-auth-openidc",
    isThere: ({ exists }) => exists("/usr/lib/apache2/modules/mod_auth_openidc.so"),
  },
  { name: "caddy", usedIn: ["test/support/caddy.ts"], packageName: "caddy", isThere: ({ find }) => find("caddy") },
  {
    // Takes nginx as its web server, and starts none.
    name: "LemonLDAP::NG's portal",
    usedIn: ["test/support/lemonldap.ts"],
    packageName: "liblemonldap-ng-portal-perl",
    isThere: ({ exists }) => exists("/usr/share/lemonldap-ng/portal/templates"),
  },
  {
    name: "Authlib with Flask",
    usedIn: ["test/support/sites/authlib.ts"],
    packageName: "python3-authlib python3-flask python3-requests",
    isThere: ({ exists }) => ["authlib", "flask", "requests"].every((name) => exists(join(PYTHON_PACKAGES, name))),
  },
  {
    name: "pip for Python",
    usedIn: ["test/features/aws-home/support/python-signers.ts"],
    packageName: "python3-pip",
    isThere: ({ find }) => find("pip3"),
  },
  {
    // Asks for a PHP of a web server; that of CGI starts none, and brings the one of the terminal.
    name: "WordPress",
    usedIn: ["test/support/wordpress.ts"],
    packageName: "php-cgi php wordpress",
    isThere: ({ exists }) => exists("/usr/share/wordpress/wp-includes/version.php"),
  },
  {
    name: "promtool",
    usedIn: ["test/support/prometheus.ts", "test/unit/docs/monitoring.test.ts"],
    packageName: "prometheus",
    isThere: ({ find }) => find("promtool") && find("prometheus"),
  },
  {
    name: "Maven with a compiler of Java",
    usedIn: ["test/features/queue-it-home/support/java-site.ts"],
    packageName: "maven default-jdk-headless",
    isThere: ({ find }) => find("mvn") && find("javac"),
  },
  {
    name: "mariadbd",
    usedIn: ["test/support/wordpress.ts"],
    packageName: "mariadb-server-core",
    isThere: ({ find }) => find("mariadbd"),
  },
];

/** What the benches need: a store, caches, and a load generator that is not the bottleneck. */
export const BENCH_REQUIREMENTS = [
  ...REQUIREMENTS.filter(({ name }) => ["redis-server", "nginx", "varnishd"].includes(name)),
  { name: "wrk", packageName: "wrk", isThere: ({ find }) => find("wrk") },
];

/** What tests need that import these modules. */
export function neededBy(modules) {
  return REQUIREMENTS.filter(({ usedIn }) => usedIn.some((module) => modules.has(module)));
}

/** @param files as `listTestFiles` answers them */
export function neededByTests(files) {
  return neededBy(
    importedBy(
      root,
      files.map(({ file }) => file),
    ),
  );
}

/** The requirements that are not met, in the order of the list. */
export function findMissing(requirements, { env = process.env, exists = existsSync, isExecutable = canExecute } = {}) {
  const directories = [...(env.PATH ?? "").split(delimiter).filter((dir) => dir !== ""), ...EXTRA_DIRECTORIES];
  const find = (program) => directories.some((dir) => isExecutable(join(dir, program)));
  return requirements.filter(({ isThere }) => !isThere({ env, find, exists, isExecutable }));
}

/** The one line that installs them on Debian and its relatives. */
export function installLine(missing) {
  const names = missing.map(({ packageName }) => packageName).join(" ");
  return `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names}`;
}

/** Meets all requirements, or ends the process with one line that would. Installs by itself only as root with apt-get. */
export async function ensureRequirements(requirements = REQUIREMENTS) {
  const missing = findMissing(requirements);
  if (missing.length === 0) {
    return;
  }
  process.stderr.write(`Missing: ${missing.map(({ name }) => name).join(", ")}\n`);
  const mayInstall = process.getuid?.() === 0 && canExecute("/usr/bin/apt-get");
  if (!mayInstall || !(await install(missing))) {
    fail(installLine(missing));
  }
  const still = findMissing(requirements);
  if (still.length > 0) {
    fail(`Installed, and still missing: ${still.map(({ name }) => name).join(", ")}`);
  }
}

async function install(missing) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const undo = forbidServices();
  try {
    // A package list that can't be refreshed may still do.
    await run("apt-get", ["update", "-qq"], { env, quiet: true });
    const names = missing.flatMap(({ packageName }) => packageName.split(" "));
    process.stderr.write(`Installing ${names.join(" ")} …\n`);
    const options = ["-y", "-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold"];
    return (await run("apt-get", ["install", ...options, ...names], { env, quiet: true })) === 0;
  } finally {
    undo();
  }
}

/** Keeps packages from starting the services they bring; answers how to allow it again. */
function forbidServices() {
  try {
    writeFileSync(POLICY_FILE, "#!/bin/sh\nexit 101\n", { flag: "wx", mode: 0o755 });
  } catch {
    // There is a policy already, or none can be made: nothing of ours to take back.
    return () => undefined;
  }
  return () => rmSync(POLICY_FILE, { force: true });
}

function canExecute(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
