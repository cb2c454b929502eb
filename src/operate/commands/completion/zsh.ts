import { type Place, pathsOf, valuedOf, type Word } from "./places.ts";

/**
 * For the completion system of zsh (`compinit`). What is offered comes with its description; where nothing is known, zsh completes
 * names of files. `path` is a name of zsh's own.
 */
export function zshScript(name: string, places: readonly Place[]): string {
  const alternatives = (texts: readonly string[]) => texts.map(quoted).join("|");
  return [
    `#compdef ${name}`,
    `_${name}() {`,
    "  local at='' index",
    "  local -a offered",
    "  for ((index = 2; index < CURRENT; index++)); do",
    '    case "$at $words[index]" in',
    `      (${alternatives(pathsOf(places))}) at="$at $words[index]" ;;`,
    "    esac",
    "  done",
    '  case "$at:$words[CURRENT-1]" in',
    `    (${alternatives(valuedOf(places))}) _files; return ;;`,
    "  esac",
    '  case "$at" in',
    ...places.map(({ path, words, options }) => {
      const offered = [...words, ...options].map(described).join(" ");
      return `    (${quoted(path)}) offered=(${offered}) ;;`;
    }),
    "  esac",
    `  _describe ${name} offered || _files`,
    "}",
    `compdef _${name} ${name}`,
  ].join("\n");
}

/** As `_describe` has it: a colon of the text itself would end it. */
function described({ text, description }: Word): string {
  return quoted(description === "" ? text : `${text.replaceAll(":", "\\:")}:${description}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
