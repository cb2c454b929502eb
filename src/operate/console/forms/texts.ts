import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  faults: {
    whole: { en: "A whole number within the range.", de: "Eine ganze Zahl in den Grenzen." },
    number: { en: "A number within the range.", de: "Eine Zahl in den Grenzen." },
    choice: { en: "One of the choices.", de: "Eine der Möglichkeiten." },
    time: { en: "Write the whole date and time.", de: "Datum und Uhrzeit vollständig angeben." },
    gap: {
      en: "There is no such time: the clocks are put forward over it. Choose another one.",
      de: "Diese Zeit gibt es nicht: Die Uhren werden darüber hinweg vorgestellt. Wählen Sie eine andere.",
    },
    twice: {
      en: "This time comes twice, as the clocks are put back. Choose which one.",
      de: "Diese Zeit kommt zweimal, weil die Uhren zurückgestellt werden. Wählen Sie eine davon.",
    },
    zone: {
      en: "This browser does not know the time zone: write a name such as Europe/Berlin.",
      de: "Dieser Browser kennt die Zeitzone nicht: Schreiben Sie einen Namen wie Europe/Berlin.",
    },
    empty: {
      en: "A live change cannot take away what the file says: write a value.",
      de: "Eine Änderung im laufenden Betrieb kann nicht wegnehmen, was in der Datei steht: Geben Sie einen Wert an.",
    },
  },
  allowed: {
    range: { en: "{from} to {to}", de: "{from} bis {to}" },
    duration: { en: "such as 90s, 20m or 1h30m; {range}", de: "etwa 90s, 20m oder 1h30m; {range}" },
    links: {
      en: "one a line, the label and then the address, at most {n}; a label by language: en: Help; de: Hilfe https://…",
      de: "einer je Zeile, erst die Beschriftung, dann die Adresse, höchstens {n}; Beschriftung je Sprache: en: Help; de: Hilfe https://…",
    },
    rules: {
      en: "one rule per line: its name, then pass, queue, challenge or refuse, then the ranges; leave empty for off. For example: office pass 198.51.100.0/24 2001:db8::/32",
      de: "eine je Zeile, erst der Name, dann pass, queue, challenge oder refuse, dann die Bereiche; nichts: off. Zum Beispiel: buero pass 198.51.100.0/24 2001:db8::/32",
    },
    siteRules: {
      en: 'one rule per line: its name, then queue, bypass or ignore, then its expression; without one it matches every request. For example: checkout queue starts_with(http.request.uri.path, "/checkout")',
      de: 'eine je Zeile, erst der Name, dann queue, bypass oder ignore, dann der Ausdruck; ohne Ausdruck trifft sie auf jede Anfrage zu. Zum Beispiel: kasse queue starts_with(http.request.uri.path, "/kasse")',
    },
    ranges: {
      en: "one a line, the range and then off or its limit: 198.51.100.0/24 off; 2001:db8::/32 per_minute=600 prequeue=500",
      de: "einer je Zeile, erst der Bereich, dann off oder sein Limit: 198.51.100.0/24 off; 2001:db8::/32 per_minute=600 prequeue=500",
    },
    list: { en: "one a line, at most {n}", de: "eine Angabe je Zeile, höchstens {n}" },
    redirect: {
      en: "{words}, or the address of a page to which visitors are sent",
      de: "{words} oder die Adresse einer Seite, zu der Besucher geschickt werden",
    },
    words: { en: "one text, or by language: en: Soon; de: Bald", de: "ein Text, oder je Sprache: en: Soon; de: Bald" },
    markdown: {
      en: "Markdown: headings, lists, emphasis, links, images; by language, each below its tag on a line of its own, such as de:; off for none",
      de: "Markdown: Überschriften, Listen, Betonung, Links, Bilder; je Sprache unter deren Kürzel auf einer eigenen Zeile, etwa de:; off für keinen Text",
    },
  },
  none: { en: "none", de: "keine Angabe" },
  on: { en: "on", de: "an" },
  off: { en: "off", de: "aus" },
  inZone: { en: "by the clocks of {zone}", de: "nach den Uhren von {zone}" },
  localTime: { en: "by your clock {time}", de: "nach Ihrer Uhr {time}" },
  clear: { en: "Clear", de: "Leeren" },
  ambiguousTime: { en: "This time comes twice: which one?", de: "Diese Zeit kommt zweimal: welche?" },
  earlier: { en: "the first, {offset}", de: "die erste, {offset}" },
  later: { en: "the second, {offset}", de: "die zweite, {offset}" },
} satisfies LocalizedTexts;
