/** Runs `usher doctor` on a configuration of the test's own, with the admin key of the tests' gateways. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { stringify } from "yaml";
import type { Finding } from "../../../../src/lib/finding.ts";
import { clientId, clientSecret, initiateLoginUri, loggedOutUri, redirectUri } from "../../../e2e/world.ts";
import { ADMIN_KEY } from "../../../support/gateway.ts";
import { makeTempDir, type TempDir } from "../../../support/temp-dir.ts";
import { runUsher } from "../../../support/usher-command.ts";

export interface DoctorRun {
  readonly code: number;
  /** Of an option that was refused. */
  readonly failure: string;
  readonly findings: readonly Finding[];
  /** Status and text of what was found about something. */
  about(what: string): readonly string[];
}

/** The client of a room, as `startWorld` has it. */
export const clientOf = (room: string, changes: object = {}) => ({
  client_id: clientId(room),
  client_secret: clientSecret(room),
  redirect_uris: [redirectUri(room)],
  post_logout_redirect_uris: [loggedOutUri(room)],
  initiate_login_uri: initiateLoginUri(room),
  room,
  ...changes,
});

export function useDoctor() {
  let folder: TempDir;
  beforeAll(async () => {
    folder = await makeTempDir("run-doctor");
  });
  afterAll(() => folder.remove());

  return {
    get folder() {
      return folder.path;
    },

    /** @param config the file, whose store is the memory */
    async run(config: object, args: readonly string[] = [], env: Record<string, string> = {}): Promise<DoctorRun> {
      const file = join(folder.path, "usher.yaml");
      await writeFile(file, stringify({ store: { type: "memory" }, ...config }));
      const { code, printed, failure } = await runUsher(["doctor", "--config", file, "--json", ...args], {
        env: {
          USHER_SECRETS_FILE: join(folder.path, "secrets.json"),
          USHER_ADMIN_API_KEY: ADMIN_KEY,
          XDG_CONFIG_HOME: folder.path,
          ...env,
        },
      });
      const findings = printed === "" ? [] : (JSON.parse(printed) as Finding[]);
      const about = (what: string) =>
        findings.filter((each) => each.about === what).map(({ status, text }) => `${status}: ${text}`);
      return { code, failure, findings, about };
    },
  };
}
