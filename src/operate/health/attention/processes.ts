import { configurationDigest } from "../configuration.ts";
import type { SeenProcess } from "../presence.ts";
import type { ProcessSelf } from "../process-self.ts";
import { type Attention, fault, type Installation, internal, seconds, warning } from "./attention.ts";

const lateMs = 200;
const heapNearlyFull = 0.85;

export function attentionOfProcesses({ processes, store, nowMs }: Installation): Attention[] {
  const running = processes
    .filter(({ isMissing, self }) => !isMissing && self.state !== "stopping")
    .map(({ self }) => self);
  const ofStore = new Set(store.findings.map(({ text }) => text));
  return [
    ...processes.filter(({ isMissing }) => isMissing).map((process) => missing(process, nowMs)),
    ...groupedByText(running, ({ faults }) => faults).map(([text, names]) =>
      fault({
        code: "process_not_ready",
        about: names,
        ...internal(`${names}: ${text}`, `Not ready to serve: ${names}`),
      }),
    ),
    ...groupedByText(running, ({ warnings }) => warnings)
      .filter(([text]) => !ofStore.has(text))
      .map(([text, names]) =>
        warning({
          code: "process_warning",
          about: names,
          ...internal(`${names}: ${text}`, `Something to mend: ${names}`),
        }),
      ),
    ...groupedByText(running, (self) => self.failing_secrets).map(([text, names]) =>
      warning({
        code: "secrets_failing",
        about: names,
        ...internal(`${names}: ${text}`, `A secret cannot be reloaded, and its last value stays in force: ${names}`),
      }),
    ),
    ...running.flatMap(ofOne),
    ...buildsDiffer(running),
    ...configurationsDiffer(running),
  ];
}

/** What they say, each with the names of those who say it. */
function groupedByText(
  running: readonly ProcessSelf[],
  textsOf: (self: ProcessSelf) => readonly string[],
): [text: string, names: string][] {
  const byText = new Map<string, string[]>();
  for (const self of running) {
    for (const text of textsOf(self)) byText.set(text, [...(byText.get(text) ?? []), self.name]);
  }
  return [...byText].map(([text, names]) => [text, names.join(", ")]);
}

function missing({ self: { name }, seenMs }: SeenProcess, nowMs: number): Attention {
  const text =
    `${name} was last heard of ${seconds(nowMs - seenMs)} ago: it was killed, hangs, or does not reach the store. ` +
    "Look at its log and start it again; if it is gone for good, it is forgotten here after ten minutes.";
  return fault({ code: "process_gone", about: name, text });
}

function ofOne(self: ProcessSelf): Attention[] {
  const { name, loop_delay_ms: delayMs, heap_share: heap } = self;
  const about = { about: name };
  const found: Attention[] = [];
  if (delayMs !== null && delayMs > lateMs) {
    const text = `${name} is overloaded: what it has to do waits ${Math.round(delayMs)} ms. Start another process, or give it more CPU.`;
    found.push(warning({ code: "process_late", ...about, text }));
  }
  if (heap !== null && heap > heapNearlyFull) {
    const text = `${name} uses ${Math.floor(100 * heap)} % of the memory that Node.js gives it. Give it more (NODE_OPTIONS=--max-old-space-size=MB) before it ends.`;
    found.push(fault({ code: "process_heap_full", ...about, text }));
  }
  if (self.drifting.length > 0) {
    const text =
      `The configuration file of ${name} has other settings than those in force of: ${self.drifting.join(", ")}. ` +
      "The file that was read last is in force: start all processes with the same one.";
    found.push(warning({ code: "settings_drift", ...about, text }));
  }
  return found;
}

function buildsDiffer(running: readonly ProcessSelf[]): Attention[] {
  const groups = groupedBy(running, ({ version, build }) => (build === null ? version : `${version} (${build})`));
  if (groups.size < 2) return [];
  const text = `Not all processes are of one build: ${inWords(groups)}. Finish the update, or go back with all.`;
  return [warning({ code: "builds_differ", text })];
}

function configurationsDiffer(running: readonly ProcessSelf[]): Attention[] {
  const configured = running.filter(({ configuration }) => Object.keys(configuration).length > 0);
  const groups = groupedBy(configured, ({ configuration }) => configurationDigest(configuration));
  if (groups.size < 2) return [];
  const names = new Set(configured.flatMap(({ configuration }) => Object.keys(configuration)));
  const differing = [...names].filter(
    (name) => new Set(configured.map(({ configuration }) => configuration[name])).size > 1,
  );
  const text =
    `Not all processes have one configuration; it differs in ${differing.join(", ")}: ${inWords(groups)}. ` +
    "Start all with the same file.";
  return [warning({ code: "configurations_differ", text })];
}

function groupedBy(all: readonly ProcessSelf[], keyOf: (self: ProcessSelf) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const self of all) groups.set(keyOf(self), [...(groups.get(keyOf(self)) ?? []), self.name]);
  return groups;
}

function inWords(groups: ReadonlyMap<string, readonly string[]>): string {
  return [...groups].map(([key, names]) => `${key} at ${names.join(", ")}`).join("; ");
}
