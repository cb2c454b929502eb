import { SetupError, StoreUnavailableError } from "../../lib/errors.ts";
import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";
import { evictionFindings } from "./server-facts.ts";
import type { ServerName } from "./server-name.ts";

const oldest = [6, 2] as const;

/**
 * Checks that the server is what the scripts need.
 *
 * @returns warnings about what could not be checked, and the server's time.
 * @throws SetupError that says what is wrong and how to mend it; StoreUnavailableError when the server does not answer.
 */
export async function checkServer(runner: Runner, keys: Keys, server: ServerName) {
  const { info, nowMs } = await tryScript(runner, keys, server);
  checkVersion(info, server);
  return { warnings: checkPolicy(info, server), nowMs };
}

async function tryScript(runner: Runner, keys: Keys, { name, cli }: ServerName) {
  try {
    const answer = await runner.run(scripts.checkServer, { fingerprints: keys.fingerprints }, {});
    if (!/run_id:\w+/.test(answer.info)) throw new Error("INFO names no run_id");
    return answer;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new SetupError(
      `${name} refuses to run Usher's scripts (${messageOf(error)}): allow the user of the store's URL EVAL, EVALSHA and, ` +
        `within scripts, TIME and INFO: ${cli} ACL SETUSER USER ${aclOfScripts}`,
      { cause: error },
    );
  }
}

const aclOfScripts = "+eval +evalsha +time +info";

/** NOPERM counts as away for a visitor; at the start it is a fault of the set-up. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return !(error instanceof StoreUnavailableError) || /NOPERM/.test(messageOf(error.cause));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkVersion(info: string, { name, cli }: ServerName): void {
  const version = /redis_version:(\d+)\.(\d+)/.exec(info);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new SetupError(
    `${name} is too old (${major}.${minor}): Usher needs Redis 6.2 or later, or Valkey; ${cli} INFO server shows the version`,
  );
}

function checkPolicy(info: string, server: ServerName): string[] {
  const [finding] = evictionFindings(info, server);
  if (finding?.code === "store_evicts") throw new SetupError(finding.text);
  return finding === undefined ? [] : [finding.text];
}
