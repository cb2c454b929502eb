import { useState } from "preact/hooks";
import { useConsole } from "../../frame/console.ts";
import { setStock } from "../../parts/actions.tsx";
import { ConfirmDialog, LineForm } from "../../parts/elements.tsx";
import { texts } from "../texts.ts";
import { questionOf } from "./questions.ts";
import type { ToolProps } from "./tool-props.ts";

/** How many are left to sell, where no shop tells it. At 0 the room is sold out, which asks first; another number, or none, takes that back. */
export function Stock({ room, figures, settings, actions }: ToolProps) {
  const { api, nowMs, speech } = useConsole();
  const [written, setWritten] = useState("");
  const [isAsked, setAsked] = useState(false);
  const { stock } = figures;
  const remaining = readStock(written);

  const apply = async (left: number | null, done: string) => {
    setAsked(false);
    const result = await actions.carryOut(done, () => setStock(api, room, left), true);
    if (result === "done") setWritten("");
  };
  const set = () => {
    if (remaining === 0) setAsked(true);
    else if (remaining !== null) void apply(remaining, speech.text(texts.done.stock, { n: remaining }));
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
    <>
      <LineForm
        id="control-stock"
        label={speech.text(texts.stock.label)}
        go={speech.text(texts.stock.set)}
        value={written}
        mayGo={remaining !== null && !actions.isBusy}
        hint={isWrong ? speech.text(texts.stock.invalid) : `${reported} ${atZero}`}
        field={{ inputMode: "numeric", size: 7 }}
        onWritten={setWritten}
        onGo={set}
      >
        {stock?.remaining !== 0 && (
          <button type="button" class="danger" disabled={actions.isBusy} onClick={() => setAsked(true)}>
            {speech.text(texts.stock.soldOut)}
          </button>
        )}
      </LineForm>
      {stock !== null && (
        <button
          type="button"
          class="quiet remove"
          disabled={actions.isBusy}
          onClick={() => void apply(null, speech.text(texts.done.stockRemoved))}
        >
          {speech.text(texts.stock.remove)}
        </button>
      )}
      {isAsked && (
        <ConfirmDialog
          title={speech.text(texts.stock.soldOut)}
          would={questionOf("soldOut", figures, settings, speech)}
          typed={null}
          onConfirm={() => void apply(0, speech.text(texts.done.stockNone))}
          onCancel={() => setAsked(false)}
        />
      )}
    </>
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
