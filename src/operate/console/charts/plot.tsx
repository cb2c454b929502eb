import { useEffect, useRef } from "preact/hooks";
import type UPlot from "uplot";
import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import { useMedia } from "../parts/use-media.ts";
import type { Chart, Mark } from "./chart-data.ts";
import { texts } from "./texts.ts";

/** A part of the window, within reason: at a desk there is more room. */
const heightNow = () => Math.round(Math.min(260, Math.max(120, innerHeight / (innerWidth < 1_024 ? 6 : 4))));
/** Of an axis: people, and milliseconds, are whole. */
const wholeSteps = Array.from({ length: 8 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
/** Plots with the same name have one cursor. */
const cursorOfAll = "room";

/** Curves, for the eye: the table behind says the same. The library is loaded with the first of them. */
export function Plot({
  chart,
  seconds,
  marks,
}: {
  readonly chart: Chart;
  readonly seconds: readonly number[];
  readonly marks: readonly Mark[];
}) {
  const { speech } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const isDark = useMedia("(prefers-color-scheme: dark)");
  const data = [seconds, ...chart.series.map(({ values }) => values)] as UPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const marked = useRef(marks);
  marked.current = marks;
  const names = chart.series.map(({ title }) => title.en).join();

  useEffect(() => {
    let isWanted = true;
    const resized = new ResizeObserver(([entry]) => {
      if (entry) plot.current?.setSize({ width: Math.floor(entry.contentRect.width), height: heightNow() });
    });
    void import("uplot").then(({ default: Library }) => {
      const element = place.current;
      if (!isWanted || element === null) return;
      plot.current = new Library(optionsOf(element, chart, speech, marked), latest.current, element);
      resized.observe(element);
    });
    return () => {
      isWanted = false;
      resized.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names, isDark]);
  useEffect(() => plot.current?.setData(data), [seconds, chart]);
  useEffect(() => plot.current?.redraw(false), [marks.map(({ sec, text }) => `${sec} ${text}`).join()]);

  return <div class="plot" ref={place} aria-hidden="true" />;
}

function optionsOf(
  element: Element,
  chart: Chart,
  speech: Speech,
  marks: { readonly current: readonly Mark[] },
): UPlot.Options {
  const colours = getComputedStyle(element);
  const colour = (name: string) => colours.getPropertyValue(name).trim();
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const hasRight = chart.series.some(({ isOnRight }) => isOnRight);
  const whole = (_: UPlot, splits: number[]) => splits.map((value) => speech.number(value));
  const fromZero: UPlot.Range.Function = (_, __, max) => [0, Math.max(1, max * 1.05)];
  const curves = [colour("--accent"), colour("--second"), colour("--act")];
  return {
    width: Math.floor(element.clientWidth),
    height: heightNow(),
    hooks: { draw: [(plot) => drawMarks(plot, marks.current, { ink: colour("--text"), ground: colour("--card") })] },
    cursor: { sync: { key: cursorOfAll }, drag: { x: false, y: false } },
    scales: { y: { range: fromZero }, ...(hasRight && { right: { range: fromZero } }) },
    axes: [
      {
        ...axis,
        // Of a line that has just begun each tick is of the same minute.
        values: (_, splits, __, ___, stepSec) =>
          splits.map((sec) => speech[stepSec < 60 ? "clock" : "time"](sec * 1_000, Date.now())),
        space: 90,
        size: 32,
      },
      { ...axis, values: whole, size: 56, incrs: wholeSteps },
      ...(hasRight
        ? [
            {
              ...axis,
              scale: "right",
              side: 1 as const,
              stroke: colour("--second"),
              grid: { show: false },
              values: whole,
              size: 48,
              incrs: wholeSteps,
            },
          ]
        : []),
    ],
    series: [
      {
        label: speech.text(texts.series.time),
        value: (_, sec) => (sec === null ? "" : speech.time(sec * 1_000, Date.now())),
      },
      ...chart.series.map(({ title, isLimit = false, isOnRight = false }, index) => ({
        label: speech.text(title),
        scale: isOnRight ? "right" : "y",
        stroke: isLimit ? colour("--act") : (curves[index] ?? colour("--accent")),
        width: 2,
        points: { show: false },
        ...(isLimit && { dash: [6, 4] }),
        value: (_: UPlot, value: number | null) => (value === null ? "–" : speech.number(value)),
      })),
    ],
  };
}

/** Texts that would cover each other stand below each other, so many at most. */
const markRows = 3;

/** A thin line down at each, within the plot, with what was done beside it where there is room. */
function drawMarks(
  { ctx, bbox, valToPos }: UPlot,
  marks: readonly Mark[],
  { ink, ground }: { readonly ink: string; readonly ground: string },
): void {
  const scale = devicePixelRatio;
  const rowHeight = 13 * scale;
  /** Where the last text of each row ends. */
  const ends = Array.from({ length: markRows }, () => bbox.left);
  ctx.save();
  ctx.fillStyle = ink;
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  for (const { sec, text } of [...marks].sort((one, other) => one.sec - other.sec)) {
    const x = Math.round(valToPos(sec, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ink;
    ctx.lineWidth = scale;
    ctx.setLineDash([2 * scale, 4 * scale]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const wide = ctx.measureText(text).width + 8 * scale;
    // At the right edge it stands before its line.
    const left = x + wide > bbox.left + bbox.width ? x - wide : x + 4 * scale;
    const row = ends.findIndex((end) => end <= left);
    if (row === -1 || left < bbox.left) continue;
    // Curves do not run through it.
    ctx.strokeStyle = ground;
    ctx.lineWidth = 4 * scale;
    ctx.setLineDash([]);
    ctx.strokeText(text, left, bbox.top + row * rowHeight + 2 * scale);
    ctx.fillText(text, left, bbox.top + row * rowHeight + 2 * scale);
    ends[row] = left + wide;
  }
  ctx.restore();
}
