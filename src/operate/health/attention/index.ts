import type { Attention, Installation } from "./attention.ts";
import { attentionOfProcesses } from "./processes.ts";
import { attentionOfRooms } from "./rooms.ts";
import { attentionOfStore } from "./store.ts";

/** All that is not well, faults first. */
export function attentionOf(installation: Installation): Attention[] {
  const found = [
    ...attentionOfStore(installation.store, installation.nowMs),
    ...(installation.namedStores ?? []).flatMap(({ name, store }) => attentionOfStore(store, installation.nowMs, name)),
    ...attentionOfProcesses(installation),
    ...attentionOfRooms(installation),
    ...(installation.others ?? []),
  ];
  const isFault = ({ severity }: Attention) => severity === "fault";
  return [...found.filter(isFault), ...found.filter((attention) => !isFault(attention))];
}
