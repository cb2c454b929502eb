import { useState } from "preact/hooks";
import { tellStock } from "../../actions/actions.ts";
import { useConsole } from "../../context.ts";
import { LineForm } from "../../parts/line-form.tsx";
import type { ControlProps } from "./control-props.ts";
import { readStock } from "./stock.ts";

/** How many are left to sell, where no shop tells it. At 0 the room is sold out; that is taken back by another number, or none. */
export function StockControl({ room, figures, settings, actions }: ControlProps) {
  const { api, nowMs, speech } = useConsole();
  const [written, setWritten] = useState("");
  const { stock } = figures;
  const remaining = readStock(written);

  const tell = async (left: number | null, said: string) => {
    const told = await actions.carryOut(said, () => tellStock(api, room, left), true);
    if (told === "done") setWritten("");
  };
  const told =
    stock === null
      ? speech.text("stock.unknown")
      : speech.text("stock.told", {
          n: stock.remaining,
          age: speech.age(Math.max(0, nowMs - Date.parse(stock.as_of))),
        });
  const atZero = speech.text(settings?.stock?.returns === false ? "stock.zero_ends" : "stock.zero_holds");
  const isWrong = written !== "" && remaining === null;

  return (
    <div class="control">
      <LineForm
        id="control-stock"
        label={speech.text("stock")}
        go={speech.text("stock.go")}
        value={written}
        mayGo={remaining !== null && !actions.isBusy}
        hint={isWrong ? speech.text("stock.wrong") : `${told} ${atZero}`}
        field={{ inputMode: "numeric", size: 7 }}
        onWritten={setWritten}
        onGo={() => {
          if (remaining === null) return;
          void tell(
            remaining,
            remaining === 0 ? speech.text("done.stock_none") : speech.text("done.stock", { n: remaining }),
          );
        }}
      />
      {stock !== null && (
        <button
          type="button"
          class="quiet"
          disabled={actions.isBusy}
          onClick={() => void tell(null, speech.text("done.stock_gone"))}
        >
          {speech.text("stock.take_away")}
        </button>
      )}
    </div>
  );
}
