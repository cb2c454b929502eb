import { useConsole } from "../../frame/console.ts";
import { TicksField } from "./fields.tsx";
import type { Entry } from "./use-form.ts";

interface RoomsFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly entry: Entry<readonly string[]>;
}

/** Rooms, by their titles. One that is chosen and no more there can be taken off. */
export function RoomsField({ entry, ...named }: RoomsFieldProps) {
  const { news } = useConsole();
  const known = news?.figures.rooms ?? [];
  const gone = entry.value.filter((id) => !known.some(({ room }) => room === id));
  const options = [
    ...known.map(({ room, title }) => ({ value: room, text: title === room ? room : `${title} (${room})` })),
    ...gone.map((id) => ({ value: id, text: id })),
  ];
  return <TicksField {...named} entry={entry} options={options} />;
}
