import type { RedisClient } from "./client.ts";
import { Reply } from "./replies.ts";
import { composeScript, type ScriptText } from "./script-texts.ts";
import type { ScriptSpec } from "./scripts.ts";
import { isNoScriptReply, storeError, withoutCommand } from "./unavailable.ts";

/** Runs scripts by their table. Nothing is ever sent twice, but for a script that Redis says it does not know. */
export interface Runner {
  readonly counts: ReadonlyMap<string, number>;
  /** @throws StoreUnavailableError */
  run<K extends string, A extends string, R>(
    spec: ScriptSpec<K, A, R>,
    keys: Readonly<Record<K, string>>,
    args: Readonly<Record<A, string | number>>,
  ): Promise<R>;
  /** Any other command. @throws StoreUnavailableError */
  command<R>(name: string, send: (client: RedisClient) => Promise<R>): Promise<R>;
}

/** What tests put in place of parts of the scripts, and give them beside their arguments. */
export interface RunnerTesting {
  readonly replaced: Readonly<Record<string, string>>;
  readonly lastArgument?: () => number;
}

export function createRunner(client: RedisClient, testing?: RunnerTesting): Runner {
  const counts = new Map<string, number>();
  const texts = new Map<string, ScriptText>();

  function textOf(spec: ScriptSpec<string, string, unknown>): ScriptText {
    const known = texts.get(spec.name);
    if (known !== undefined) return known;
    const text = composeScript(spec, testing?.replaced);
    texts.set(spec.name, text);
    return text;
  }

  async function command<R>(name: string, send: (client: RedisClient) => Promise<R>): Promise<R> {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    try {
      return await send(client);
    } catch (failure) {
      const error = withoutCommand(failure);
      throw isNoScriptReply(error) ? error : storeError(error);
    }
  }

  return {
    counts,
    command,
    async run(spec, keys, args) {
      const script = textOf(spec);
      const keyList = spec.keys.map((name) => keys[name]);
      const argList: (string | number)[] = spec.args.map((name) => args[name]);
      if (testing?.lastArgument !== undefined) argList.push(testing.lastArgument());
      try {
        return spec.read(
          new Reply(await command(spec.name, (c) => c.evalsha(script.sha1, keyList.length, ...keyList, ...argList))),
        );
      } catch (error) {
        if (!isNoScriptReply(error)) throw error;
        const reply = await command(`${spec.name} (load)`, (c) =>
          c.eval(script.text, keyList.length, ...keyList, ...argList),
        );
        return spec.read(new Reply(reply));
      }
    },
  };
}
