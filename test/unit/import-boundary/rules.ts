/** Which part of src/ may import which, as data, and the check of one module against it. */
import { posix } from "node:path";
import { type Import, readSource, type SourceFacts } from "./source-facts.ts";

/** Parts of src/, the longest prefix first. A file that belongs to none is a violation. */
const PARTS = [
  "store/contract/",
  "store/memory/",
  "store/redis/",
  "core/",
  "lib/",
  "admission-log/",
  "events/",
  "audit/",
  "backup/",
  "health/",
  "config/",
  "cluster/",
  "room/",
  "check/",
  "registry/",
  "oidc/",
  "pages/shared/",
  "pages/",
  "http/",
  "probes/",
  "push/",
  "preview/",
  "browser/console/",
  "browser/",
  "tokens/",
  "verify/request-hints.ts",
  "verify/",
  "client/",
  "doctor/",
  "cli/",
  "draw/",
  "beacon/",
  "issuer.ts",
  "draw-beacon.ts",
  "operators.ts",
  "stores.ts",
  "app.ts",
  "command.ts",
  "main.ts",
] as const;
type Part = (typeof PARTS)[number];

/** What each part may import beside itself. */
const MAY_IMPORT: Readonly<Record<Part, readonly Part[]>> = {
  "lib/": [],
  // The chain of a log, its check and the report on it: the same in a gateway and in a program that has only the file.
  "admission-log/": [],
  // Who changed what: its rows, their bounds, and the chain over them.
  "audit/": ["store/contract/", "admission-log/", "lib/"],
  // An installation in one file, and the way back.
  "backup/": ["room/", "registry/", "config/", "lib/"],
  // How all processes are, and what is not well.
  "health/": ["store/contract/", "room/", "config/", "lib/"],
  "config/": ["lib/"],
  // Starts the processes that are one gateway together, and serves nobody.
  "cluster/": ["lib/"],
  "store/contract/": ["lib/"],
  // The rules of the line: what they decide on is passed in.
  "core/": ["store/contract/"],
  // The recipe of the draw, which anybody may repeat: in a browser too.
  "draw/": [],
  // Fetches what a public source of chance publishes.
  "beacon/": ["draw/", "lib/"],
  // The rules that a process applies to its own memory are those that the store applies.
  // An estimate is one rule, for the room and for the scripts of its pages.
  "room/": ["store/contract/", "core/", "draw/", "admission-log/", "pages/shared/", "lib/"],
  // What is asked before a join.
  "check/": ["room/", "config/", "lib/"],
  "store/memory/": ["store/contract/", "core/", "lib/"],
  "store/redis/": ["store/contract/", "core/", "lib/"],
  // What happens, as it is told to others.
  "events/": ["store/contract/", "registry/", "room/", "config/", "lib/"],
  // What is changed at run time of an issuer: clients and keys.
  "registry/": ["store/contract/", "config/", "lib/"],
  "oidc/": ["registry/", "room/", "check/", "verify/request-hints.ts", "config/", "lib/"],
  // What visitors see; the recipe of the draw says how far a draw has come.
  "pages/": ["pages/shared/", "room/", "config/", "draw/", "lib/"],
  // What pages and their scripts say in the same way.
  "pages/shared/": [],
  "http/": [
    "pages/",
    "pages/shared/",
    "events/",
    "push/",
    "registry/",
    "room/",
    "check/",
    "oidc/",
    "audit/",
    "health/",
    "admission-log/",
    "doctor/",
    "config/",
    "draw/",
    "verify/request-hints.ts",
    "lib/",
  ],
  "probes/": ["room/", "lib/"],
  // Wakes visitors whose phone sleeps.
  "push/": ["room/", "config/", "lib/"],
  // Shows the pages, and runs nothing.
  "preview/": ["pages/", "room/", "config/", "lib/"],
  // Asks the admin API by its description, and knows nothing else of a gateway; draws as pages do, and checks a log as anybody can.
  "browser/console/": ["client/", "pages/shared/", "admission-log/", "draw/"],
  "browser/": ["pages/shared/", "draw/"],
  // Asks a running gateway by what is described of it.
  "client/": [],
  // Asks an installation by its public address, as visitors and relying parties do.
  "doctor/": ["config/", "lib/"],
  // Asks a running gateway, or checks what one has published, and is no part of one. A rehearsal plays the pages.
  "cli/": ["backup/", "tokens/", "client/", "doctor/", "config/", "draw/", "admission-log/", "pages/shared/", "lib/"],
  // The package for relying parties: it imports nothing else of src/.
  "verify/": ["verify/request-hints.ts"],
  // What a request's headers say: a site has to read them as the gateway does.
  "verify/request-hints.ts": [],
  // The package for those who invite, and for the command that makes their links.
  "tokens/": [],
  // One issuer's part of app.ts, with any store.
  "issuer.ts": [
    "pages/",
    "http/",
    "oidc/",
    "push/",
    "registry/",
    "room/",
    "check/",
    "store/contract/",
    "config/",
    "lib/",
  ],
  "stores.ts": ["store/contract/", "store/memory/", "store/redis/", "config/", "lib/"],
  "operators.ts": ["http/", "audit/", "backup/", "registry/", "store/contract/", "config/", "lib/"],
  "draw-beacon.ts": ["beacon/", "room/", "config/", "lib/"],
  "app.ts": PARTS.filter((part) => !/^(browser|verify|client|cli)\//.test(part)),
  "command.ts": PARTS.filter((part) => !/^(browser|verify)\//.test(part)),
  // Starts on any Node.js version, to report one that is too old.
  "main.ts": ["command.ts"],
};

/** Packages that belong to some parts only: at run time, and as types. */
const PACKAGES: readonly {
  readonly name: RegExp;
  readonly atRunTime: readonly Part[];
  readonly asTypes: readonly Part[];
}[] = [
  { name: /^ioredis$/, atRunTime: ["store/redis/"], asTypes: ["store/redis/"] },
  {
    name: /^oidc-provider$/,
    atRunTime: ["oidc/"],
    asTypes: ["oidc/", "store/memory/", "store/redis/", "app.ts", "command.ts"],
  },
  {
    name: /^(koa|koa-.*|@koa\/.*)$/,
    atRunTime: ["http/", "oidc/", "app.ts"],
    asTypes: ["http/", "oidc/", "app.ts"],
  },
  { name: /^openid-client$/, atRunTime: ["http/", "lib/"], asTypes: ["http/", "lib/"] },
  { name: /^@noble\//, atRunTime: ["draw/"], asTypes: ["draw/"] },
  { name: /^prom-client$/, atRunTime: ["http/", "cluster/"], asTypes: ["http/", "cluster/"] },
  { name: /^temporal-polyfill$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^tldts$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^markdown-it$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^@aws-sdk\//, atRunTime: ["config/"], asTypes: ["config/"] },
  {
    name: /^(zod|yaml)$/,
    atRunTime: [
      "config/",
      "pages/",
      "http/",
      "lib/",
      "store/redis/",
      "oidc/",
      "room/",
      "registry/",
      "backup/",
      "events/",
      "health/",
      "push/",
      "check/",
    ],
    asTypes: PARTS,
  },
];

/** Parts that get by with these packages and Node's built-ins. */
const ONLY_PACKAGES: Partial<Record<Part, readonly string[]>> = {
  "config/": [
    "zod",
    "yaml",
    "temporal-polyfill",
    "image-size",
    "markdown-it",
    "tldts",
    "@aws-sdk/client-secrets-manager",
  ],
  "cluster/": ["prom-client"],
  "store/contract/": [],
  "core/": [],
  "pages/shared/": ["qr"],
  "browser/console/": ["preact", "uplot", "openapi-fetch"],
  "browser/": [],
  "admission-log/": [],
  "client/": ["openapi-fetch"],
  // It verifies ID tokens, as relying parties do.
  "doctor/": ["jose"],
  "cli/": ["commander", "csv-parse", "csv-stringify"],
  "draw/": ["@noble/hashes", "@noble/curves"],
  "beacon/": [],
  "tokens/": ["jose"],
  "verify/": ["jose"],
  "verify/request-hints.ts": [],
};

/** Node's modules for the network and other processes, which the domain does not know. */
const NETWORK = /^node:(http|https|http2|net|tls|dgram|dns|child_process|cluster)(\/|$)/;

const GLOBALS: Readonly<Record<string, readonly Part[]>> = {
  "process.env": ["command.ts"],
  "process.exit": ["command.ts", "main.ts"],
  "Date.now": ["lib/", "tokens/", "browser/", "browser/console/"],
  "new Date()": ["lib/", "browser/", "browser/console/"],
  "Math.random": ["lib/", "browser/", "browser/console/"],
  console: ["command.ts", "main.ts", "browser/"],
};

/**
 * Checks one module. `file` is relative to src/, with forward slashes; `dependencies` are the names of the
 * packages that are installed in production. Answers a sentence per violation.
 */
export function checkModule(file: string, code: string, dependencies: ReadonlySet<string>): string[] {
  const part = partOf(file);
  if (part === null) {
    return [`${file} belongs to no part of the program`];
  }
  const facts = readSource(code, file);
  return [
    ...facts.imports.flatMap((imported) => checkImport(file, part, imported, dependencies)),
    ...checkGlobals(part, facts),
  ].map((violation) => `${file} ${violation}`);
}

function checkImport(file: string, part: Part, imported: Import, dependencies: ReadonlySet<string>): string[] {
  const { specifier } = imported;
  if (specifier === null) {
    // The demonstration, which there need not be.
    // A browser's script names the file of a part by the hash of what is in it; what it loads is of browser/later.
    const isAllowed = part === "command.ts" || file === "browser/later.ts";
    return isAllowed ? [] : ["loads a module by a computed name or by require"];
  }
  if (specifier.startsWith(".")) {
    return checkRelative(file, part, specifier, imported.isTypeOnly);
  }
  return specifier.startsWith("node:")
    ? checkBuiltIn(part, specifier)
    : checkPackage(part, imported, specifier, dependencies);
}

function checkRelative(file: string, part: Part, specifier: string, isTypeOnly: boolean): string[] {
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const targetPart = partOf(target);
  // The English texts say which there are.
  const isTexts = target === "../views/locales/en.json" && isTypeOnly;
  if (isTexts && (part === "pages/" || part === "pages/shared/")) return [];
  if (target.startsWith("../")) {
    return part === "command.ts" || part === "app.ts" ? [] : [`imports ${specifier}, which is outside src`];
  }
  if (targetPart === null || (targetPart !== part && !MAY_IMPORT[part].includes(targetPart))) {
    return [`imports ${target}`];
  }
  // The contract of the stores is types and nothing else, and so is what the rules take of it.
  const isOfContract = part === "store/contract/" || (part === "core/" && targetPart === "store/contract/");
  const isRunTimeOfContract = isOfContract && targetPart !== part && !isTypeOnly;
  return isRunTimeOfContract ? [`imports ${target} at run time`] : [];
}

function checkBuiltIn(part: Part, specifier: string): string[] {
  const isNetwork = NETWORK.test(specifier) && (part === "room/" || part === "store/memory/");
  const isAnywhere = part === "core/" || part === "pages/shared/" || part.startsWith("browser/") || part === "draw/";
  const isProcess = specifier === "node:process" && part !== "command.ts";
  return isNetwork || isProcess || isAnywhere ? [`imports ${specifier}`] : [];
}

function checkPackage(part: Part, imported: Import, specifier: string, dependencies: ReadonlySet<string>): string[] {
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const rule = PACKAGES.find((candidate) => candidate.name.test(name));
  const allowedParts = rule === undefined ? PARTS : imported.isTypeOnly ? rule.asTypes : rule.atRunTime;
  const allowedPackages = ONLY_PACKAGES[part];
  if (!allowedParts.includes(part) || (allowedPackages !== undefined && !allowedPackages.includes(name))) {
    return [`imports ${specifier}${imported.isTypeOnly ? " (types)" : ""}`];
  }
  // What the console is made of is in its script.
  return imported.isTypeOnly || dependencies.has(name) || part === "browser/console/"
    ? []
    : [`imports ${specifier}, which production does not install`];
}

function checkGlobals(part: Part, { globals }: SourceFacts): string[] {
  return globals.filter((name) => !GLOBALS[name]?.includes(part)).map((name) => `uses ${name}`);
}

function partOf(file: string): Part | null {
  return PARTS.find((part) => (part.endsWith("/") ? file.startsWith(part) : file === part)) ?? null;
}
