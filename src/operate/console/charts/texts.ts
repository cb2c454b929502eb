import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  more: { en: "More curves", de: "Weitere Kurven" },
  range: { en: "Time shown", de: "Gezeigte Zeit" },
  soon: { en: "The curve begins in a few seconds.", de: "Die Kurve beginnt in ein paar Sekunden." },
  ranges: {
    "15m": { en: "15 minutes", de: "15 Minuten" },
    "1h": { en: "1 hour", de: "1 Stunde" },
    sale: { en: "The sale", de: "Der Verkauf" },
  },
  charts: {
    sale: { en: "Waiting, and entering a minute", de: "Wartende, und Eintritte je Minute" },
    rates: {
      en: "Arrivals and admissions a minute, and their limit",
      de: "Ankünfte und Eintritte je Minute, und ihre Grenze",
    },
    inside: { en: "Inside", de: "Drinnen" },
    missing: { en: "Absent, and those who did not come", de: "Abwesende, und wer nicht kam" },
    refused: { en: "Refused a place, per minute", de: "Ohne Platz abgewiesen, in der Minute" },
    site: { en: "Latency of the site, in milliseconds", de: "Antwortzeit der Website, in Millisekunden" },
    errors: { en: "Errors of the site, in percent", de: "Fehler der Website, in Prozent" },
  },
  series: {
    time: { en: "Time", de: "Zeit" },
    waiting: { en: "waiting", de: "wartend" },
    arrivals: { en: "arrivals a minute", de: "Ankünfte je Minute" },
    admitted: { en: "admissions a minute", de: "Eintritte je Minute" },
    limit: { en: "limit", de: "Grenze" },
    live: { en: "inside", de: "drinnen" },
    maxActive: { en: "at most", de: "höchstens" },
    absent: { en: "absent", de: "abwesend" },
    noShows: { en: "did not come", de: "nicht gekommen" },
    latency: { en: "milliseconds", de: "Millisekunden" },
    errors: { en: "percent of its answers", de: "Prozent ihrer Antworten" },
  },
  refusals: {
    rate: { en: "too many from the address just now", de: "gerade zu viele von der Adresse" },
    entries: { en: "all entries of the address used", de: "alle Lose der Adresse vergeben" },
    network: { en: "by a rule for addresses", de: "durch eine Regel für Adressen" },
  },
} satisfies LocalizedTexts;
