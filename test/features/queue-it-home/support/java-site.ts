/** A site that has the published connector for Java, with its packages from Maven's registry. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { accepts } from "../../../support/ports.ts";
import { startProcess } from "../../../support/processes.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { customerId, secretKey } from "./connector-site.ts";

const run = promisify(execFile);
const here = fileURLToPath(new URL("java/", import.meta.url));

export interface JavaSite {
  /** An enqueue token of the published SDK. */
  token(event: string, key: string): Promise<string>;
  /** Serves the site, by this integration configuration. */
  serve(port: number, configuration: string): Promise<void>;
  stop(): Promise<void>;
}

/** Gets the packages and compiles the site. */
export async function prepareJavaSite(): Promise<JavaSite> {
  const folder = await makeTempDir("java-site");
  let running: ReturnType<typeof startProcess> | undefined;
  const stop = async () => {
    await running?.stop();
    await folder.remove();
  };
  try {
    const classes = await compile(folder);
    const java = ["-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", classes, "Site"];
    return {
      stop,
      async token(event, key) {
        const { stdout } = await run("java", [...java, "token", customerId, event, key, secretKey]);
        return stdout.trim();
      },
      async serve(port, configuration) {
        const file = join(folder.path, "integrationconfig.json");
        await writeFile(file, configuration);
        running = startProcess({
          name: "java-site",
          command: "java",
          args: [...java, String(port), customerId, secretKey, file],
        });
        await running.waitUntil(`the site on port ${port}`, () => accepts(port));
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function compile(folder: TempDir): Promise<string> {
  const packages = join(folder.path, "lib");
  const goal = ["dependency:copy-dependencies", `-DoutputDirectory=${packages}`];
  await run("mvn", ["-q", "-B", "-f", join(here, "pom.xml"), ...goal]);
  const classes = join(folder.path, "classes");
  await run("javac", ["-d", classes, "-cp", `${packages}/*`, join(here, "Site.java")]);
  return `${classes}:${packages}/*`;
}
