import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import type { ScreenProps } from "../navigation/screen.ts";
import { ProblemNote } from "../parts/problem-note.tsx";
import { mayDo } from "../parts/roles.ts";
import { Title } from "../parts/title.tsx";
import { useAsked } from "../parts/use-asked.ts";
import { LogPart } from "./log-part.tsx";
import { NextSale } from "./next-sale.tsx";
import { texts } from "./texts.ts";

const minuteMs = 60_000;
/** As many minutes as one answer gives. */
const figuresMs = 1_440 * minuteMs;
const everyMs = 5_000;

/** What came of the sale, and what the next one needs. */
export function AfterScreen({ room, title }: ScreenProps) {
  const { api, nowMs, principal, speech } = useConsole();
  const asked = useAsked(() => take(api.ask.GET("/admin/rooms/{room}", { params: { path: { room } } })), {
    of: [room],
    everyMs,
  });
  const known = asked.answer !== null && "phase" in asked.answer ? asked.answer : null;
  const opensMs = known?.opens_at ? Date.parse(known.opens_at) : 0;
  const fromMs = Math.min(Math.max(opensMs, nowMs - figuresMs), nowMs - minuteMs);
  const from = new Date(Math.floor(fromMs / minuteMs) * minuteMs).toISOString();
  const figures = new URLSearchParams({ from, step: "1m", format: "csv" });
  return (
    <>
      <Title text={title} />
      <p class="room-id">
        <code>{room}</code>
      </p>
      {asked.problem && <ProblemNote problem={asked.problem} speech={speech} />}
      {known !== null && known.base_phase !== "ended" && known.waiting > 0 && (
        <p class="old">{speech.text(texts.notOver, { n: known.waiting })}</p>
      )}
      <LogPart room={room} />
      <section class="control" aria-labelledby="files-title">
        <h2 id="files-title">{speech.text(texts.files.title)}</h2>
        <ul class="findings">
          <li>
            <a href={`/admin/rooms/${room}/statistics?${figures}`} download={`figures-${room}.csv`}>
              {speech.text(texts.files.figures)}
            </a>
          </li>
          <li>
            <a href={`/admin/rooms/${room}/log`} download={`log-${room}.ndjson`}>
              {speech.text(texts.files.log)}
            </a>
          </li>
        </ul>
        {known?.settings.draw?.order === "random" && known.issuer !== undefined && (
          <p>{speech.text(texts.files.draw, { issuer: known.issuer, room })}</p>
        )}
      </section>
      {known !== null && mayDo(principal.role, "operator") && <NextSale known={known} again={asked.again} />}
    </>
  );
}
