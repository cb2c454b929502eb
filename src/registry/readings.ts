/** Reads what was registered, each document once as long as it stays the same: a change of one must not cost the time of all. */
export function createReadings<Registered extends { readonly document: object }, Reading>(
  read: (document: Registered["document"]) => Reading,
) {
  let known: ReadonlyMap<string, { readonly text: string; readonly reading: Reading }> = new Map();

  return (registered: Readonly<Record<string, Registered>>) => {
    const entries = Object.entries(registered).map(([id, entry]) => {
      const text = JSON.stringify(entry.document);
      const before = known.get(id);
      return { id, registered: entry, text, reading: before?.text === text ? before.reading : read(entry.document) };
    });
    known = new Map(entries.map(({ id, text, reading }) => [id, { text, reading }]));
    return entries;
  };
}
