import { Script } from "node:vm";
import ejs from "ejs";

/**
 * The line of a template at which it stops being one; null where that can't be told. EJS itself does not say.
 *
 * @param options as for `ejs.compile`
 */
export function syntaxErrorLine(text: string, options: ejs.Options): number | null {
  const template = new ejs.Template(text, options);
  try {
    template.compile();
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? lineInSource(template.source) : unclosedTagLine(text);
  }
}

/** The generated program notes the template's lines as it goes. */
function lineInSource(source: string): number | null {
  try {
    new Script(`(function(){\n${source}\n})`, { filename: "template" });
    return null;
  } catch (error) {
    const at = /^template:(\d+)/.exec(error instanceof Error ? (error.stack ?? "") : "")?.[1];
    const before = source
      .split("\n")
      .slice(0, Number(at) - 1)
      .join("\n");
    return Number([...before.matchAll(/__line = (\d+)/g)].at(-1)?.[1] ?? 1);
  }
}

function unclosedTagLine(text: string): number | null {
  for (let at = text.indexOf("<%"); at >= 0; at = text.indexOf("<%", at + 2)) {
    const [end, next] = [text.indexOf("%>", at), text.indexOf("<%", at + 2)];
    if (end < 0 || (next >= 0 && next < end)) return text.slice(0, at).split("\n").length;
  }
  return null;
}
