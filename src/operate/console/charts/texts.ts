import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  title: { en: "How it went", de: "Wie es lief" },
  range: { en: "Time shown", de: "Gezeigte Zeit" },
  marks: {
    en: "Dotted lines: somebody acted; what was done stands below.",
    de: "Gepunktete Linien: Jemand hat gehandelt; was, steht unten.",
  },
  ranges: {
    "15m": { en: "15 minutes", de: "15 Minuten" },
    "1h": { en: "1 hour", de: "1 Stunde" },
    sale: { en: "The sale", de: "Der Verkauf" },
  },
  charts: {
    line: { en: "Waiting, and arrivals a minute", de: "Wartende, und Ankünfte je Minute" },
    entering: { en: "Admissions a minute, and their limit", de: "Eintritte je Minute, und ihre Grenze" },
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
