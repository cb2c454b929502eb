import { readFileSync } from "node:fs";
import { relative } from "node:path";

/** Loaded only where it is used, and large. Wherever the program goes, these and what they need go with it. */
export const NOT_BUNDLED = ["@aws-sdk/client-secrets-manager", "@aws-sdk/client-eventbridge"];

/**
 * Packages that go by the names of their classes: oidc-provider calls what it stores by them, others their errors. esbuild gives a
 * class another name where two have the same. Its option `keepNames` would name all functions anew whenever they are made, which
 * takes a fifth of the time of a request.
 */
const NAMED_CLASSES = /[\\/]node_modules[\\/](commander|ioredis|jose|oidc-provider|redis-errors)[\\/].*\.js$/;

/** Packages of the older module system ask for Node's own modules by `require`. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);`;

/**
 * Makes the program of the compiled modules and the packages that they use: a few files in the output folder, one for each
 * part that is loaded by itself. Node takes half as long to load them as the eight hundred that they are made of.
 */
export async function bundleProgram(esbuild, modules, outdir) {
  await esbuild.build({
    // Names in the output are told from here.
    absWorkingDir: modules,
    entryPoints: ["main.js"],
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: NOT_BUNDLED,
    banner: { js: REQUIRE },
    charset: "utf8",
    logLevel: "warning",
    sourcemap: true,
    sourcesContent: false,
    plugins: [ownPlaces(modules), classNames],
  });
}

/** A module finds the files beside it as if it still stood in its own folder: all bundles stand at the root of the output. */
function ownPlaces(modules) {
  return {
    name: "own-places",
    setup(build) {
      build.onLoad({ filter: /\.js$/ }, ({ path }) => {
        const place = relative(modules, path);
        if (place.startsWith("..")) return undefined;
        const own = `new URL(${JSON.stringify(`./${place.replaceAll("\\", "/")}`)}, import.meta.url).href`;
        return { contents: readFileSync(path, "utf8").replaceAll("import.meta.url", own), loader: "js" };
      });
    },
  };
}

const classNames = {
  name: "class-names",
  setup(build) {
    build.onLoad({ filter: NAMED_CLASSES }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replace(
        /\bclass (\w+)(?: extends [^{\n]+)? \{/g,
        '$& static { Object.defineProperty(this, "name", { value: "$1", configurable: true }); }',
      );
      return { contents, loader: "js" };
    });
  },
};
