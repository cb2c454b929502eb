import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** How the person at the terminal calls this very program. */
export interface HowCalled {
  /** In a container the words of a shell go to its host. */
  readonly where: "clone" | "container" | "package";
  /** What stands in place of `usher`, for a shell. */
  readonly command: string;
}

/**
 * @param packageDir the folder of the program
 * @param currentDir where the shell stands
 * @param exists whether there is such a file
 */
export function howCalled(
  packageDir: string,
  currentDir: string,
  exists: (file: string) => boolean = existsSync,
): HowCalled {
  const main = join(packageDir, "dist", "main.js");
  // The image has the program alone, and Docker and Podman leave these files.
  const isClone = exists(join(packageDir, "src", "main.ts"));
  if (isClone) return { where: "clone", command: `node ${shellWord(relative(currentDir, main))}` };
  if (exists("/.dockerenv") || exists("/run/.containerenv")) return { where: "container", command: `node ${main}` };
  // In a project's own packages no shell finds it by its name.
  const [project = ""] = packageDir.split(`${sep}node_modules${sep}`);
  const isOfProject = project !== packageDir && exists(join(project, "package.json"));
  return { where: "package", command: isOfProject ? "npx usher" : "usher" };
}

/** One word for a shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
