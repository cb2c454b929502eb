import { inRoot } from "./paths.mjs";

/**
 * How esbuild makes the scripts of the pages from src/browser: each page's modules in one small file that leaves nothing
 * global, since it stands in the page itself. Types are checked by tsconfig.browser.json.
 */
export const browserBundle = {
  entryPoints: ["waiting.ts", "notice.ts", "move.ts", "preview.ts"].map((name) => inRoot("src", "browser", name)),
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  logLevel: "warning",
};
