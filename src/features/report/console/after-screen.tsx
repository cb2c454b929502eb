import { take } from "../../../operate/console/api/api.ts";
import { useRequest } from "../../../operate/console/api/requests.ts";
import type { ScreenProps } from "../../../operate/console/frame/console.ts";
import { mayDo, useConsole } from "../../../operate/console/frame/console.ts";
import { ProblemNote, Title } from "../../../operate/console/parts/elements.tsx";
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
  const request = useRequest(() => take(api.ask.GET("/admin/rooms/{room}", { params: { path: { room } } })), {
    of: [room],
    everyMs,
  });
  const details = request.answer !== null && "phase" in request.answer ? request.answer : null;
  const opensMs = details?.opens_at ? Date.parse(details.opens_at) : 0;
  const fromMs = Math.min(Math.max(opensMs, nowMs - figuresMs), nowMs - minuteMs);
  const from = new Date(Math.floor(fromMs / minuteMs) * minuteMs).toISOString();
  const figures = new URLSearchParams({ from, step: "1m", format: "csv" });
  return (
    <>
      <Title text={title} />
      <p class="room-id">
        <code>{room}</code>
      </p>
      {request.problem && <ProblemNote problem={request.problem} speech={speech} />}
      {details !== null && details.base_phase !== "ended" && details.waiting > 0 && (
        <p class="old">{speech.text(texts.notOver, { n: details.waiting })}</p>
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
        {details?.settings.draw?.order === "random" && details.issuer !== undefined && (
          <p>{speech.text(texts.files.draw, { issuer: details.issuer, room })}</p>
        )}
      </section>
      {details !== null && mayDo(principal.role, "operator") && <NextSale details={details} reload={request.reload} />}
    </>
  );
}
