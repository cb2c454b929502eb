import { useEffect, useRef, useState } from "preact/hooks";
import type UPlot from "uplot";
import { useConsole } from "../frame/console.ts";
import type { Speech } from "../frame/speech.ts";
import type { Chart } from "./chart-data.ts";
import { texts } from "./texts.ts";

const height = 160;
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
  /** When somebody acted, in seconds since 1970. */
  readonly marks: readonly number[];
}) {
  const { speech } = useConsole();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const scheme = useColourScheme();
  const data = [seconds, ...chart.series.map(({ values }) => values)] as UPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const marked = useRef(marks);
  marked.current = marks;
  const names = chart.series.map(({ title }) => title.en).join();

  useEffect(() => {
    let isWanted = true;
    const resized = new ResizeObserver(([entry]) => {
      if (entry) plot.current?.setSize({ width: Math.floor(entry.contentRect.width), height });
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
  }, [names, scheme]);
  useEffect(() => plot.current?.setData(data), [seconds, chart]);
  useEffect(() => plot.current?.redraw(false), [marks.join()]);

  return <div class="plot" ref={place} aria-hidden="true" />;
}

function optionsOf(
  element: Element,
  chart: Chart,
  speech: Speech,
  marks: { readonly current: readonly number[] },
): UPlot.Options {
  const colours = getComputedStyle(element);
  const colour = (name: string) => colours.getPropertyValue(name).trim();
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const curves = [colour("--accent"), colour("--second"), colour("--act")];
  return {
    width: Math.floor(element.clientWidth),
    height,
    hooks: { draw: [(plot) => drawMarks(plot, marks.current, colour("--muted"))] },
    cursor: { sync: { key: cursorOfAll }, drag: { x: false, y: false } },
    scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] } },
    axes: [
      {
        ...axis,
        values: (_, splits) => splits.map((sec) => speech.time(sec * 1_000, Date.now())),
        space: 90,
        size: 32,
      },
      { ...axis, values: (_, splits) => splits.map((value) => speech.number(value)), size: 56, incrs: wholeSteps },
    ],
    series: [
      {
        label: speech.text(texts.series.time),
        value: (_, sec) => (sec === null ? "" : speech.time(sec * 1_000, Date.now())),
      },
      ...chart.series.map(({ title, isLimit = false }, index) => ({
        label: speech.text(title),
        stroke: isLimit ? colour("--act") : (curves[index] ?? colour("--accent")),
        width: 2,
        points: { show: false },
        ...(isLimit && { dash: [6, 4] }),
        value: (_: UPlot, value: number | null) => (value === null ? "–" : speech.number(value)),
      })),
    ],
  };
}

/** A thin line down at each, within the plot. */
function drawMarks({ ctx, bbox, valToPos }: UPlot, marks: readonly number[], colour: string): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const sec of marks) {
    const x = Math.round(valToPos(sec, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** Changes with the colours of the page. */
function useColourScheme(): "dark" | "light" {
  const query = "(prefers-color-scheme: dark)";
  const [isDark, setDark] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const look = () => setDark(list.matches);
    list.addEventListener("change", look);
    return () => list.removeEventListener("change", look);
  }, []);
  return isDark ? "dark" : "light";
}
