import { useConsole } from "../../../operate/console/frame/console.ts";
import { settingName, valueInLine } from "../../../operate/console/settings/names.ts";
import type { LiveSetting } from "./give-back.ts";
import { texts } from "./texts.ts";

/** What was changed at run time, beside what the file says. */
export function Differences({
  live,
  retained,
  onRetained,
}: {
  readonly live: readonly LiveSetting[];
  /** Paths. */
  readonly retained: readonly string[];
  onRetained(retained: readonly string[]): void;
}) {
  const { speech } = useConsole();
  const named = (path: string) => {
    const name = settingName(path, speech);
    return name === null ? "" : `(${name})`;
  };
  if (live.length === 0) return <p>{speech.text(texts.prepare.noDifferences)}</p>;
  return (
    <fieldset class="differences">
      <legend>{speech.text(texts.prepare.differences)}</legend>
      {live.map(({ path, now, file }) => (
        <label class="tick" key={path}>
          <input
            type="checkbox"
            checked={retained.includes(path)}
            onChange={({ currentTarget: { checked } }) =>
              onRetained(checked ? [...retained, path] : retained.filter((each) => each !== path))
            }
          />
          <span>
            {speech.text(texts.prepare.keep)} <code>{path}</code> {named(path)}:{" "}
            <span dir="auto">{valueInLine(path, now, speech)}</span>{" "}
            <span class="marks" dir="auto">
              {speech.text(texts.prepare.fileValue, { value: valueInLine(path, file, speech) })}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
