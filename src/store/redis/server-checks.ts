import type { Keys } from "./keys.ts";
import type { Runner } from "./runner.ts";
import { scripts } from "./scripts.ts";

const oldest = [6, 2] as const;

/**
 * Checks that the server is what the scripts need.
 *
 * @returns warnings about what could not be checked.
 * @throws Error that says what is wrong and what to do; StoreUnavailableError when the server does not answer.
 */
export async function checkServer(runner: Runner, keys: Keys): Promise<string[]> {
  const info = await tryScript(runner, keys);
  checkVersion(info);
  return checkPolicy(runner);
}

async function tryScript(runner: Runner, keys: Keys): Promise<string> {
  try {
    const { info } = await runner.run(scripts.checkServer, { fingerprints: keys.fingerprints }, {});
    if (!/run_id:\w+/.test(info)) throw new Error("INFO names no run_id");
    return info;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const hint = "allow the store's user EVAL, EVALSHA and, within scripts, TIME and INFO";
    throw new Error(`Redis refuses to run Usher's scripts (${messageOf(error)}); ${hint}`, { cause: error });
  }
}

/** NOPERM counts as away for a visitor; at the start it is a fault of the set-up. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name !== "StoreUnavailableError" || /NOPERM/.test(messageOf(error.cause));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function checkVersion(info: string): void {
  const version = /redis_version:(\d+)\.(\d+)/.exec(info);
  const major = Number(version?.[1] ?? 0);
  const minor = Number(version?.[2] ?? 0);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(`Redis ${major}.${minor} is too old; Usher needs Redis 6.2 or later, or Valkey`);
}

/** A store that evicts would forget rooms and admissions; it must refuse writes instead. */
async function checkPolicy(runner: Runner): Promise<string[]> {
  let policy: unknown;
  try {
    const answer: unknown = await runner.command("config", (client) =>
      client.call("CONFIG", "GET", "maxmemory-policy"),
    );
    policy = Array.isArray(answer) ? answer[1] : undefined;
  } catch (error) {
    const reason = messageOf(error instanceof Error && error.cause !== undefined ? error.cause : error);
    return [`Redis does not show its maxmemory-policy (${reason}); make sure that it is noeviction`];
  }
  if (policy === "noeviction") return [];
  throw new Error(`Redis has maxmemory-policy ${String(policy)}; set it to noeviction, or rooms may be forgotten`);
}
