import type { ComponentChildren } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import type { Localized } from "../../frame/speech.ts";
import { type Actions, UnderWay } from "../../parts/actions.tsx";
import { ProblemNote } from "../../parts/elements.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { useMedia } from "../../parts/use-media.ts";

/** As wide as style/tools.css has a column for the tools. */
const desk = "(min-width: 64rem)";

/** A tool: a tile with how it stands, which opens a sheet; at a desk what is done often has its fields at once. */
export function Tool({
  field,
  title,
  value,
  actions,
  isAtHand = false,
  stays = false,
  children,
}: {
  /** The id of its first field; keys lead to it. */
  readonly field: string;
  readonly title: Localized;
  /** How it stands now. */
  readonly value: string;
  readonly actions: Actions;
  /** Whether it needs no sheet where there is room. */
  readonly isAtHand?: boolean;
  /** Whether its sheet stays open after something was done: it shows what came of it. */
  readonly stays?: boolean;
  readonly children: ComponentChildren;
}) {
  const { speech } = useConsole();
  const isDesk = useMedia(desk);
  const [opened, setOpened] = useState(0);
  const isOpen = opened > 0;
  const close = () => setOpened(0);
  // With the toast that says what was done.
  useLayoutEffect(() => {
    if (!stays) close();
  }, [actions.count]);

  if (isAtHand && isDesk) {
    return (
      <div class="tool tool-at-hand">
        <h2>{speech.text(title)}</h2>
        {children}
      </div>
    );
  }
  return (
    <div class="tool">
      <button
        type="button"
        class="tile"
        id={tileOf(field)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpened(opened + 1)}
      >
        <strong>{speech.text(title)}</strong>
        <span dir="auto">{value}</span>
      </button>
      <Sheet id={`sheet-${field}`} title={speech.text(title)} field={field} opened={opened} onClose={close}>
        {isOpen && actions.problem && <ProblemNote problem={actions.problem} speech={speech} />}
        {children}
        <p class="under-way" role="status">
          {isOpen && <UnderWay actions={actions} />}
        </p>
      </Sheet>
    </div>
  );
}

/** The id of the tile whose sheet has a field. */
export const tileOf = (field: string) => `open-${field}`;
