/** Where a script of a page takes something from outside: answers, parts of scripts, messages, what is stored. */
const readers = new RegExp(
  [
    String.raw`\bfetch\(|new XMLHttpRequest|new EventSource|new WebSocket|new BroadcastChannel|\bimport\(\x60`,
    String.raw`\.json\(\)|\.arrayBuffer\(\)|JSON\.parse\(|readJson(?:<\w+>)?\((?!url: )`,
    String.raw`\.getItem\(|rememberOf\((?:local|session)Storage|indexedDB\.open\(`,
    String.raw`addEventListener\("(?:message|storage)"|\.onmessage = `,
  ].join("|"),
  "g",
);

export function countReads(script: string): number {
  // What is imported as a type is no part of a script.
  return script.replace(/typeof import\(/g, "").match(readers)?.length ?? 0;
}
