import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { setStock } from "../../parts/actions.tsx";
import { LineForm } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import type { ControlProps } from "./control-props.ts";

/** How many are left to sell, where no shop tells it. At 0 the room is sold out; that is taken back by another number, or none. */
export function StockControl({ room, figures, settings, actions }: ControlProps) {
  const { api, nowMs, speech } = useConsole();
  const [written, setWritten] = useState("");
  const { stock } = figures;
  const remaining = readStock(written);

  const apply = async (left: number | null, said: string) => {
    const result = await actions.carryOut(said, () => setStock(api, room, left), true);
    if (result === "done") setWritten("");
  };
  const reported =
    stock === null
      ? speech.text(texts.stock.unknown)
      : speech.text(texts.stock.reported, {
          n: stock.remaining,
          age: speech.age(Math.max(0, nowMs - Date.parse(stock.as_of))),
        });
  const atZero = speech.text(settings?.stock?.returns === false ? texts.stock.zeroEnds : texts.stock.zeroHolds);
  const isWrong = written !== "" && remaining === null;

  return (
    <div class="control">
      <LineForm
        id="control-stock"
        label={speech.text(texts.stock.title)}
        go={speech.text(texts.stock.set)}
        value={written}
        mayGo={remaining !== null && !actions.isBusy}
        hint={isWrong ? speech.text(texts.stock.invalid) : `${reported} ${atZero}`}
        field={{ inputMode: "numeric", size: 7 }}
        onWritten={setWritten}
        onGo={() => {
          if (remaining === null) return;
          void apply(
            remaining,
            remaining === 0 ? speech.text(texts.done.stockNone) : speech.text(texts.done.stock, { n: remaining }),
          );
        }}
      />
      {stock !== null && (
        <button
          type="button"
          class="quiet"
          disabled={actions.isBusy}
          onClick={() => void apply(null, speech.text(texts.done.stockRemoved))}
        >
          {speech.text(texts.stock.remove)}
        </button>
      )}
    </div>
  );
}

/** What the admin API takes. */
const remainingMax = 1_000_000_000;

/** A whole number of what is left to sell; null for anything else. */
export function readStock(written: string): number | null {
  const text = written.trim();
  const remaining = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  return remaining <= remainingMax ? remaining : null;
}
