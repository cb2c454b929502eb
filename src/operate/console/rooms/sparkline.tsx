import { useConsole } from "../frame/console.ts";
import { type Point, spanMs } from "../frame/live.ts";
import { texts } from "./texts.ts";

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
