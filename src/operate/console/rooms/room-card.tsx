import { pathOf, useConsole } from "../frame/console.ts";
import { type Figures, freshnessOfRoom, isStale, type LiveRoom, type News, type Point, spanMs } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { attentionOf } from "./attention.ts";
import { Attentions } from "./attentions.tsx";
import { endInWords, nextInWords } from "./outlook.ts";
import { texts } from "./texts.ts";

/** A room at a glance. */
export function RoomCard({ room, news }: { readonly room: LiveRoom; readonly news: News }) {
  const { speech, elapsedMs, history } = useConsole();
  const fresh = freshnessOfRoom(room, news, elapsedMs);
  const { figures } = room;
  const found = attentionOf(room, history.of(room.room));
  const level = found.some((each) => each.level === "act") ? "act" : found.length > 0 ? "look" : "calm";

  return (
    <article class={`card card-${level}${isStale(fresh) ? " stale" : ""}`} aria-labelledby={`room-${room.room}`}>
      <header>
        <h2 id={`room-${room.room}`} dir="auto">
          <a href={pathOf({ room: room.room, name: "" })}>{room.title}</a>
        </h2>
        <code>{room.room}</code>
        {figures?.rehearsal && <span class="tag">{speech.text(texts.rehearsal)}</span>}
      </header>
      {isStale(fresh) && <p class="old">{speech.text(frameTexts.oldFigures, { age: speech.age(fresh.ageMs) })}</p>}
      {figures && <Phase figures={figures} />}
      <Attentions room={room} />
      {figures && (
        <>
          <p class="waiting">
            <strong>{speech.number(figures.waiting)}</strong> {speech.text(texts.waiting)}
          </p>
          <Sparkline points={history.of(room.room)} endMs={Date.parse(news.figures.at)} />
          <Facts figures={figures} />
        </>
      )}
    </article>
  );
}

/** In words, and why where it is held. */
export function Phase({ figures: { phase, phase_reason } }: { readonly figures: Figures }) {
  const { speech } = useConsole();
  return (
    <p class={`phase phase-${phase}`}>
      <strong>{speech.text(texts.phases[phase])}</strong>
      {phase_reason !== null && <span> {speech.text(texts.reasons[phase_reason])}</span>}
    </p>
  );
}

/** What is going on, and what is to come. */
function Facts({ figures }: { readonly figures: Figures }) {
  const { speech, nowMs } = useConsole();
  const of = (value: number, limit: number | null) =>
    limit === null ? speech.number(value) : speech.text(texts.ofLimit, { n: value, limit });
  const { outflow_per_minute, limit_per_minute, live_admissions, max_active, absent } = figures;
  const facts = [
    ["entering", of(outflow_per_minute, limit_per_minute)],
    ["live", of(live_admissions, max_active)],
    ["absent", speech.number(absent)],
    ["ends", endInWords(figures, speech, nowMs)],
    ["next", nextInWords(figures, speech, nowMs)],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{speech.text(texts.figures[name])}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const width = 300;
const height = 48;
const edge = 2;

/** How many waited in the last fifteen minutes: a curve for the eye, and the same in words. */
export function Sparkline({ points, endMs }: { readonly points: readonly Point[]; readonly endMs: number }) {
  const { speech } = useConsole();
  const [first, last] = [points[0], points[points.length - 1]];
  if (first === undefined || last === undefined) return <p class="spark-none">{speech.text(texts.sparklineEmpty)}</p>;
  const most = Math.max(...points.map(({ waiting }) => waiting));
  const x = (atMs: number) => round(Math.max(0, width - ((endMs - atMs) / spanMs) * width));
  const y = (waiting: number) => round(height - edge - (waiting / Math.max(1, most)) * (height - 2 * edge));
  const line = points.map(({ atMs, waiting }) => `${x(atMs)},${y(waiting)}`).join(" ");
  const area = `${x(first.atMs)},${height} ${line} ${x(last.atMs)},${height}`;
  const words = speech.text(texts.sparkline, { from: first.waiting, to: last.waiting, most });
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={words}>
      <polygon points={area} />
      <polyline points={line} />
    </svg>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
