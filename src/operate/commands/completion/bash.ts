import { type Place, pathsOf, valuedOf } from "./places.ts";

/** Where nothing is known, such as behind an option with a value, bash completes names of files. */
export function bashScript(name: string, places: readonly Place[]): string {
  const quoted = (texts: readonly string[]) => texts.map((text) => `"${text}"`).join("|");
  const texts = ({ words, options }: Place) => [...words, ...options].map(({ text }) => text).join(" ");
  return [
    `_${name}() {`,
    "  local path='' words='' index",
    "  COMPREPLY=()",
    "  for ((index = 1; index < COMP_CWORD; index++)); do",
    `    case "$path \${COMP_WORDS[index]}" in`,
    `      ${quoted(pathsOf(places))}) path="$path \${COMP_WORDS[index]}" ;;`,
    "    esac",
    "  done",
    `  case "$path:\${COMP_WORDS[COMP_CWORD - 1]}" in`,
    `    ${quoted(valuedOf(places))}) return ;;`,
    "  esac",
    '  case "$path" in',
    ...places.map((place) => `    "${place.path}") words='${texts(place)}' ;;`),
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))`,
    "}",
    `complete -o default -F _${name} ${name}`,
  ].join("\n");
}
