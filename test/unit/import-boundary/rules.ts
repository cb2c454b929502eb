/** Which part of src/ may import which, as data, and the check of one module against it. */
import { posix } from "node:path";
import { type Import, readSource, type SourceFacts } from "./source-facts.ts";

/** Parts of src/, the longest prefix first. A file that belongs to none is a violation. */
const PARTS = [
  "lib/",
  "config/",
  "store/contract/",
  "store/memory/",
  "store/redis/",
  "core/",
  "room/public-status/",
  "room/draw-recipe/",
  "room/admission-log/",
  "room/",
  "registry/",
  "oidc/",
  "web/pages/shared/",
  "web/pages/",
  "web/browser/",
  "web/",
  "operate/client/",
  "operate/commands/",
  "operate/console/",
  "operate/audit/",
  "operate/",
  "features/*/package/",
  "features/*/shared/",
  "features/*/browser/",
  "features/*/console/",
  "features/invitations/tokens.ts",
  "features/screens.ts",
  "features/",
  "app/cluster/",
  "app/console.ts",
  "app/",
  "main.ts",
] as const;
type Part = (typeof PARTS)[number];

/** What runs in browsers too. */
const IN_BROWSERS = ["room/public-status/", "room/draw-recipe/", "web/pages/shared/"] as const;
/** What is bundled into the script of the console. */
const OF_THE_CONSOLE: readonly Part[] = [
  "operate/console/",
  "features/*/console/",
  "features/screens.ts",
  "app/console.ts",
];
/** What programs and pages may import beside a gateway. */
const ANYWHERE = [...IN_BROWSERS, "room/admission-log/"] as const;
/** What speaks HTTP stands on these. */
const ROOMS = ["room/", "registry/", "oidc/", "config/", "lib/", ...ANYWHERE] as const;

/** What each part may import beside itself: what stands before it, from the ground up. */
const MAY_IMPORT: Readonly<Record<Part, readonly Part[]>> = {
  "lib/": [],
  "config/": ["lib/"],
  // The types of settings follow from their schemas.
  "store/contract/": ["config/", "lib/"],
  // The rules of the line: what they decide on is passed in.
  "core/": ["store/contract/"],
  "store/memory/": ["store/contract/", "core/", "lib/"],
  "store/redis/": ["store/contract/", "core/", "lib/"],
  // The public status and what is reckoned from it: the same for the room, its pages' scripts and programs.
  "room/public-status/": [],
  // The recipe of the draw, which anybody may repeat: in a browser too.
  "room/draw-recipe/": [],
  // The chain of a log, its check and the report on it: the same in a gateway and in a program that has only the file.
  "room/admission-log/": [],
  // The rules that a process applies to its own memory are those that the store applies.
  "room/": ["store/contract/", "core/", "room/public-status/", "room/draw-recipe/", "room/admission-log/", "lib/"],
  // What is changed at run time of an issuer: clients and keys.
  "registry/": ["store/contract/", "config/", "lib/"],
  "oidc/": ["registry/", "room/", "config/", "lib/"],
  "web/pages/shared/": ["room/public-status/"],
  // What visitors see; the recipe of the draw says how far a draw has come.
  "web/pages/": ["room/", "config/", "lib/", ...ANYWHERE],
  "web/browser/": IN_BROWSERS,
  "web/": [...ROOMS, "web/pages/"],
  // Asks a running gateway by what is described of it.
  "operate/client/": [],
  // Asks a running gateway, or checks what one has published, and is no part of one. A rehearsal plays the pages.
  "operate/commands/": ["operate/client/", "config/", "lib/", ...ANYWHERE],
  // Asks the admin API by its description, and knows nothing else of a gateway; draws as pages do, and checks a log as anybody can.
  "operate/console/": ["operate/client/", ...ANYWHERE],
  "operate/": [...ROOMS, "store/contract/", "web/", "web/pages/", "operate/audit/"],
  // Who changed what: its rows, their bounds, and the chain over them.
  "operate/audit/": ["store/contract/", "room/admission-log/", "lib/"],
  // The package for those who invite, and for the command that makes their links.
  "features/invitations/tokens.ts": [],
  // What programs of others import of this package: of src/ no more than how a request's headers are read.
  "features/*/package/": ["lib/"],
  // Stands on the frames, which know none. What is of one is no other's, but by what its feature.ts needs.
  "features/": [
    ...PARTS.filter((part) => !/^(app|main|features|store\/(memory|redis)|web\/browser|operate\/console)\b/.test(part)),
    "features/*/shared/",
    "features/invitations/tokens.ts",
  ],
  // Scripts of pages that are a feature's.
  "features/*/browser/": ["web/browser/", ...IN_BROWSERS],
  // What a feature shows in the console, and the list of it: what a browser loads, and nothing of a gateway.
  // What its console and its commands have in common.
  "features/*/shared/": ANYWHERE,
  "features/*/console/": ["features/*/shared/", "operate/console/", "operate/client/", ...ANYWHERE],
  "features/screens.ts": ["operate/console/", "features/*/console/"],
  // Starts the processes that are one gateway together, and serves nobody.
  "app/cluster/": ["lib/"],
  // The console's own screens and those of features meet here.
  "app/console.ts": ["operate/console/", "features/screens.ts"],
  "app/": PARTS.filter(
    (part) => !/^(web\/browser\/|operate\/(console|client)\/|features\/(\*|screens)|app\/console)/.test(part),
  ),
  // Starts on any Node.js version, to report one that is too old.
  "main.ts": ["app/"],
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
    asTypes: ["oidc/", "store/memory/", "store/redis/", "app/"],
  },
  {
    name: /^(koa|koa-.*|@koa\/.*)$/,
    atRunTime: ["web/", "operate/", "oidc/", "features/"],
    asTypes: ["web/", "operate/", "oidc/", "features/"],
  },
  { name: /^openid-client$/, atRunTime: ["operate/", "lib/"], asTypes: ["operate/", "lib/"] },
  { name: /^@noble\//, atRunTime: ["room/draw-recipe/"], asTypes: ["room/draw-recipe/"] },
  {
    name: /^prom-client$/,
    atRunTime: ["operate/", "features/", "app/cluster/"],
    asTypes: ["operate/", "features/", "app/cluster/"],
  },
  { name: /^temporal-polyfill$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^tldts$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^markdown-it$/, atRunTime: ["config/"], asTypes: ["config/"] },
  { name: /^@aws-sdk\/client-eventbridge$/, atRunTime: ["features/"], asTypes: ["features/"] },
  { name: /^@aws-sdk\//, atRunTime: ["config/"], asTypes: ["config/"] },
  {
    name: /^(zod|yaml)$/,
    atRunTime: [
      "config/",
      "web/",
      "web/pages/",
      "operate/",
      "lib/",
      "store/redis/",
      "oidc/",
      "room/",
      "registry/",
      "features/",
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
  "app/cluster/": ["prom-client"],
  "store/contract/": [],
  "core/": [],
  "room/public-status/": [],
  "room/draw-recipe/": ["@noble/hashes", "@noble/curves"],
  "room/admission-log/": [],
  "web/pages/shared/": ["qr"],
  "web/browser/": [],
  "features/*/shared/": [],
  "features/*/browser/": [],
  "operate/console/": ["preact", "uplot", "openapi-fetch"],
  "features/*/console/": ["preact", "uplot"],
  "features/screens.ts": [],
  "operate/client/": ["openapi-fetch"],
  "operate/commands/": ["commander", "csv-parse", "csv-stringify"],
  "features/invitations/tokens.ts": ["jose"],
  "features/*/package/": ["jose"],
};

/** Node's modules for the network and other processes, which the domain does not know. */
const NETWORK = /^node:(http|https|http2|net|tls|dgram|dns|child_process|cluster)(\/|$)/;

const GLOBALS: Readonly<Record<string, readonly Part[]>> = {
  "process.env": ["app/"],
  "process.exit": ["app/", "main.ts"],
  "Date.now": [
    "lib/",
    "features/invitations/tokens.ts",
    "web/browser/",
    "features/*/browser/",
    "operate/console/",
    "features/*/console/",
  ],
  "new Date()": ["lib/", "web/browser/", "features/*/browser/", "operate/console/", "features/*/console/"],
  "Math.random": ["lib/", "web/browser/", "features/*/browser/", "operate/console/", "features/*/console/"],
  console: ["app/", "main.ts", "web/browser/", "features/*/browser/"],
};
/** The only reader of the environment, and the only one that ends the process. */
const COMMAND = "app/command.ts";

/** Of each feature, the others that its feature.ts needs. */
export type Needs = ReadonlyMap<string, readonly string[]>;

/**
 * Checks one module. `file` is relative to src/, with forward slashes; `dependencies` are the names of the
 * packages that are installed in production. Answers a sentence per violation.
 */
export function checkModule(
  file: string,
  code: string,
  dependencies: ReadonlySet<string>,
  needs: Needs = new Map(),
): string[] {
  const part = partOf(file);
  if (part === null) {
    return [`${file} belongs to no part of the program`];
  }
  const facts = readSource(code, file);
  return [
    ...facts.imports.flatMap((imported) => checkImport(file, part, imported, dependencies)),
    ...checkGlobals(file, part, facts),
    ...facts.imports.flatMap((imported) => checkNeeds(file, imported, needs)),
  ].map((violation) => `${file} ${violation}`);
}

function checkImport(file: string, part: Part, imported: Import, dependencies: ReadonlySet<string>): string[] {
  const { specifier } = imported;
  if (specifier === null) {
    // The demonstration, which there need not be.
    // A browser's script names the file of a part by the hash of what is in it; what it loads is of web/browser/later.
    const isAllowed = file === COMMAND || file === "web/browser/later.ts";
    return isAllowed ? [] : ["loads a module by a computed name or by require"];
  }
  if (specifier.startsWith(".")) {
    return checkRelative(file, part, specifier, imported.isTypeOnly);
  }
  return specifier.startsWith("node:")
    ? checkBuiltIn(file, part, specifier)
    : checkPackage(part, imported, specifier, dependencies);
}

function checkRelative(file: string, part: Part, specifier: string, isTypeOnly: boolean): string[] {
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const targetPart = partOf(target);
  // The English texts say which there are.
  const isTexts = target === "../views/locales/en.json" && isTypeOnly;
  if (isTexts && (part === "web/pages/" || part === "web/pages/shared/")) return [];
  if (target.startsWith("../")) {
    return part === "app/" ? [] : [`imports ${specifier}, which is outside src`];
  }
  if (targetPart === null || (targetPart !== part && !MAY_IMPORT[part].includes(targetPart))) {
    return [`imports ${target}`];
  }
  // The contract of the stores is types and nothing else, and so is what the rules take of it.
  const isOfContract = part === "store/contract/" || (part === "core/" && targetPart === "store/contract/");
  const isRunTimeOfContract = isOfContract && targetPart !== part && !isTypeOnly;
  return isRunTimeOfContract ? [`imports ${target} at run time`] : [];
}

/** A list of features names all of them; else what is of one is for it and for those that need it. */
function checkNeeds(file: string, { specifier }: Import, needs: Needs): string[] {
  if (specifier === null || !specifier.startsWith(".")) return [];
  const feature = featureOf(file);
  const other = featureOf(posix.normalize(posix.join(posix.dirname(file), specifier)));
  if (feature === null || other === null || feature === other || needs.get(feature)?.includes(other)) return [];
  return [`imports of the feature ${other}, which it does not need`];
}

/** Null for what is in no feature's folder. */
function featureOf(file: string): string | null {
  return /^features\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function checkBuiltIn(file: string, part: Part, specifier: string): string[] {
  const isNetwork = NETWORK.test(specifier) && (part === "room/" || part === "store/memory/");
  const isAnywhere = [
    "core/",
    "web/browser/",
    "features/*/browser/",
    "features/*/shared/",
    ...OF_THE_CONSOLE,
    ...IN_BROWSERS,
  ].includes(part);
  const isProcess = specifier === "node:process" && file !== COMMAND;
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
  return imported.isTypeOnly || dependencies.has(name) || OF_THE_CONSOLE.includes(part)
    ? []
    : [`imports ${specifier}, which production does not install`];
}

function checkGlobals(file: string, part: Part, { globals }: SourceFacts): string[] {
  const isAllowed = (name: string) => GLOBALS[name]?.includes(part) === true && (part !== "app/" || file === COMMAND);
  return globals.filter((name) => !isAllowed(name)).map((name) => `uses ${name}`);
}

function partOf(file: string): Part | null {
  const path = file.replace(/^features\/[^/]+\/(browser|console|package|shared)\//, "features/*/$1/");
  return PARTS.find((part) => (part.endsWith("/") ? path.startsWith(part) : path === part)) ?? null;
}
