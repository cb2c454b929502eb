import { readLinkTarget } from "../../lib/link-target.ts";

/** What is wrong with a path that forward authentication shall let through; null for nothing. */
export function exemptPathFault(value: string): string | null {
  const path = value.endsWith("/*") ? value.slice(0, -1) : value;
  if (!path.startsWith("/") || /[*?#]/.test(path)) {
    return "expected a path such as /health, or /assets/* for all below it, without query";
  }
  if (value === "/*") {
    return "would let everything through: name the paths";
  }
  // Paths are compared as they are sent.
  return readLinkTarget(`https://site.example${path}`)?.pathname === path
    ? null
    : "expected a path as browsers send it, without dots and double slashes";
}
