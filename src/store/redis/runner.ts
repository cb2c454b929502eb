import { setTimeout as delay } from "node:timers/promises";
import {
  type Breaker,
  type CommandEnd,
  endOfFailed,
  isNoScriptReply,
  saysTryAgain,
  storeError,
  withoutCommand,
} from "./availability.ts";
import type { RedisClient } from "./client.ts";
import type { Ownership } from "./ownership.ts";
import { Reply } from "./replies.ts";
import { composeScript, type LuaLibrary, readLibrary, readLua, type ScriptText } from "./script-texts.ts";
import type { ScriptSpec } from "./scripts.ts";

export type Runner = ReturnType<typeof createRunner>;

/** What tests put in place of parts of the scripts, and give them beside their arguments. */
interface RunnerTesting {
  readonly replaced: Readonly<Record<string, string>>;
  readonly lastArgument?: () => number;
}

/** While a slot of a Cluster moves, some keys of a script are at the one node and some at the other: nothing was done. Slower each time, since everybody waits. */
const tryAgainMs = [100, 200, 400, 800];

/**
 * Runs scripts by their table. Nothing is ever sent twice, but for a script that Redis says it does not know, and what it says to try again.
 *
 * @param breaker null: there is none
 * @param ownership lets nothing pass to a store that is another installation's; null: whosever it is
 */
export function createRunner(
  client: RedisClient,
  breaker: Pick<Breaker, "enter"> | null,
  ownership: Pick<Ownership, "enter"> | null = null,
  testing?: RunnerTesting,
) {
  const counts = new Map<string, number>();
  let roundTrip: (seconds: number) => void = () => {};
  const { library, texts } = compositionWith(testing?.replaced ?? {});

  function textOf(spec: ScriptSpec<unknown>): ScriptText {
    const cached = texts.get(spec.name);
    if (cached !== undefined) return cached;
    const text = composeScript(library, spec.lua ?? readLua(spec.name), spec.keys);
    texts.set(spec.name, text);
    return text;
  }

  /** Any command but a script. @throws StoreUnavailableError */
  async function command<R>(name: string, send: (client: RedisClient) => Promise<R>, isForAnybody = false): Promise<R> {
    for (const delayMs of tryAgainMs) {
      if (!isForAnybody) ownership?.enter();
      try {
        return await sendNow(name, send, breaker?.enter());
      } catch (error) {
        if (!saysTryAgain(error)) throw error;
        await delay(delayMs);
      }
    }
    if (!isForAnybody) ownership?.enter();
    return sendNow(name, send, breaker?.enter());
  }

  async function sendNow<R>(
    name: string,
    send: (client: RedisClient) => Promise<R>,
    recordEnd: (end: CommandEnd) => void = () => {},
  ): Promise<R> {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const sentMs = performance.now();
    try {
      const answer = await send(client);
      recordEnd("answered");
      return answer;
    } catch (failure) {
      recordEnd(endOfFailed(failure));
      const error = withoutCommand(failure);
      throw isNoScriptReply(error) ? error : storeError(error);
    } finally {
      roundTrip((performance.now() - sentMs) / 1_000);
    }
  }

  return {
    counts: counts as ReadonlyMap<string, number>,
    /** See `Store`. */
    onRoundTrip(listener: (seconds: number) => void): void {
      roundTrip = listener;
    },
    command,
    /** Sends a script past the breaker, for how that ends alone. */
    async probe(spec: ScriptSpec<unknown>, keys: Readonly<Record<string, string>>): Promise<CommandEnd> {
      const script = textOf(spec);
      const keyList = script.keys.map((name) => requiredValue(keys, name));
      let ended: CommandEnd = "cut";
      const send = (c: RedisClient) => c.evalsha(script.sha1, keyList.length, ...keyList);
      await sendNow(spec.name, send, (end) => {
        ended = end;
      }).catch(() => {});
      return ended;
    },
    /**
     * Of keys and arguments the script is given those that it names.
     *
     * @throws StoreUnavailableError
     */
    async run<R>(
      spec: ScriptSpec<R>,
      keys: Readonly<Record<string, string>>,
      args: Readonly<Record<string, string | number>>,
    ): Promise<R> {
      const script = textOf(spec);
      const keyList = script.keys.map((name) => requiredValue(keys, name));
      const argList = script.args.map((name) => requiredValue(args, name));
      if (testing?.lastArgument !== undefined) argList.push(testing.lastArgument());
      try {
        const reply = await command(
          spec.name,
          (c) => c.evalsha(script.sha1, keyList.length, ...keyList, ...argList),
          spec.isForAnybody,
        );
        return spec.read(new Reply(reply));
      } catch (error) {
        if (!isNoScriptReply(error)) throw error;
        const reply = await command(
          `${spec.name} (load)`,
          (c) => c.eval(script.text, keyList.length, ...keyList, ...argList),
          spec.isForAnybody,
        );
        return spec.read(new Reply(reply));
      }
    },
  };
}

interface Composition {
  readonly library: LuaLibrary;
  readonly texts: Map<string, ScriptText>;
}

/** By the parts that stand in for others: a script takes milliseconds to put together, and a process may open several stores. */
const compositions = new Map<string, Composition>();

function compositionWith(replaced: Readonly<Record<string, string>>): Composition {
  const name = JSON.stringify(replaced);
  const composition = compositions.get(name) ?? {
    library: readLibrary(replaced),
    texts: new Map<string, ScriptText>(),
  };
  compositions.set(name, composition);
  return composition;
}

function requiredValue<T>(values: Readonly<Record<string, T>>, name: string): T {
  const value = values[name];
  if (value === undefined) throw new TypeError(`a script is not given its ${name}`);
  return value;
}
