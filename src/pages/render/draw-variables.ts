import type { Locale } from "../locales/locale.ts";
import type { DrawShown } from "../types.ts";

/** What views/draw.ejs says. */
export function drawVariables(draw: DrawShown, locale: Locale) {
  const { draw: words, move, waiting } = locale.texts;
  const { id, stage, seed, entries, beacon, own, recordUrl, checkerUrl, commitment } = draw;
  const { facts } = words;
  const tell = (value: number | null | undefined) => (value == null ? "" : locale.number(value));
  const shown = [
    { label: facts.entries, value: tell(entries), isCode: false },
    { label: facts.round, value: beacon?.round == null ? "" : String(beacon.round), isCode: true },
    { label: facts.seal, value: commitment, isCode: true },
    { label: facts.secret, value: seed ?? "", isCode: true },
  ];
  return {
    id,
    stage,
    recordUrl,
    checkerUrl,
    stageText: stage === "closing" || stage === "closed" ? waiting.live.status.drawing : words.stages[stage],
    beaconText:
      stage === "cancelled" ? "" : words.beacon[beacon === null ? "none" : beacon.isFallback ? "fallback" : "mixed"],
    facts: shown.filter(({ value }) => value !== ""),
    own: own && {
      entry: own.entry,
      entryText: tell(own.entry),
      positionText: tell(own.position),
      receipt: own.receipt ?? "",
    },
    labels: { entry: waiting.draw.number, place: waiting.live.labels.place },
    copied: move.copied,
    unreachable: locale.texts.notice.unreachable,
    words,
  };
}
