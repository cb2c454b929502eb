import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Which lines of the source the built program ran, in processes that tests started.
 *
 * @param folder where V8 wrote what each process did (NODE_V8_COVERAGE)
 * @param root the folder of package.json
 * @returns for each file of src/, by its path from there, the numbers of the lines that ran, from 1
 */
export function linesRunByChildren(folder, root) {
  const programs = new Map();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { url, functions } of result) {
      if (!url.startsWith("file://")) continue;
      const file = fileURLToPath(url);
      if (!file.startsWith(join(root, "dist/"))) continue;
      if (!programs.has(file)) programs.set(file, readProgram(file));
      markRun(programs.get(file), functions);
    }
  }
  const lines = new Map();
  for (const { file, starts, map, hasRun } of programs.values()) {
    for (const [index, { column }] of starts.entries()) {
      if (!hasRun[index]) continue;
      const { originalSource, originalLine } = map.findEntry(index, column);
      if (originalSource === undefined) continue;
      const source = relative(root, join(dirname(file), originalSource));
      if (!lines.has(source)) lines.set(source, new Set());
      lines.get(source).add(originalLine + 1);
    }
  }
  return lines;
}

function readProgram(file) {
  const text = readFileSync(file, "utf8");
  const starts = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const column = line.length - line.trimStart().length;
    starts.push({ column, offset: offset + column });
    offset += line.length + 1;
  }
  return {
    file,
    starts,
    map: new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))),
    hasRun: new Array(starts.length).fill(false),
  };
}

/** The innermost range around the beginning of a line says whether it ran: ranges follow those that they lie in. */
function markRun({ starts, hasRun }, functions) {
  const counts = new Array(starts.length).fill(0);
  for (const { ranges } of functions) {
    for (const { startOffset, endOffset, count } of ranges) {
      for (let i = firstFrom(starts, startOffset); i < starts.length && starts[i].offset < endOffset; i++) {
        counts[i] = count;
      }
    }
  }
  for (const [i, count] of counts.entries()) hasRun[i] ||= count > 0;
}

function firstFrom(starts, offset) {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle].offset < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
