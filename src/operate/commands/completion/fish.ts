import { type Place, pathsOf, type Word } from "./places.ts";

/** Where nothing is known, such as behind an option with a value, fish completes names of files. */
export function fishScript(name: string, places: readonly Place[]): string {
  const at = `__${name}_at`;
  const lineOf = ({ path }: Place, arguments_: string, { description }: Word) => {
    const told = description === "" ? "" : ` -d ${quoted(description)}`;
    return `complete -c ${name} -n ${quoted(`${at} ${quoted(path)}`)} ${arguments_}${told}`;
  };
  return [
    `function ${at}`,
    "    set -l at ''",
    "    for word in (commandline -opc)[2..-1]",
    '        switch "$at $word"',
    `            case ${pathsOf(places).map(quoted).join(" ")}`,
    '                set at "$at $word"',
    "        end",
    "    end",
    '    test "$at" = "$argv[1]"',
    "end",
    `complete -c ${name} -e`,
    ...places.flatMap((place) => [
      ...place.words.map((word) => lineOf(place, `-f -a ${quoted(word.text)}`, word)),
      ...place.options.map((word) => lineOf(place, `-l ${word.text.slice(2)}${word.isValued ? " -r" : ""}`, word)),
    ]),
  ].join("\n");
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}
