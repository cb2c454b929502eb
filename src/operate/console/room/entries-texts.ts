import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  title: { en: "Entries of the draw", de: "Losnummern der Auslosung" },
  hint: {
    en: "Addresses and networks with very many entries, shown as keyed hashes. A school or a mobile carrier has many people behind one address. Until the entries close they can be voided, in public.",
    de: "Wer sehr viele Losnummern hat, nach verschlüsselten Kennungen von Adressen und Netzen. Hinter einer Adresse können viele Menschen sein, etwa bei einer Schule oder im Mobilfunk. Bis zum Ende der Ausgabe können sie öffentlich für ungültig erklärt werden.",
  },
  count: { en: "Count the entries", de: "Losnummern zählen" },
  countAgain: { en: "Count again", de: "Noch einmal zählen" },
  counted: { en: "{n} entries, {known} of known addresses.", de: "{n} Losnummern, {known} von bekannten Adressen." },
  tables: {
    networks: { en: "Networks (/24, /48)", de: "Netze (/24, /48)" },
    addresses: { en: "Addresses", de: "Adressen" },
  },
  block: { en: "Block", de: "Block" },
  entries: { en: "Entries", de: "Losnummern" },
  share: { en: "Share", de: "Anteil" },
  none: { en: "No entries of known addresses.", de: "Keine Losnummern von bekannten Adressen." },
  reason: { en: "Reason, which everybody reads", de: "Grund, den alle lesen" },
  reasonFirst: { en: "Say why first.", de: "Nennen Sie zuerst den Grund." },
  void: { en: "Void", de: "Für ungültig erklären" },
  voided: { en: "void", de: "ungültig" },
  warning: {
    en: "{n} entries ({share}) of {block} would take no part in the draw, and nobody could join from there until the entries close. Everybody reads: {reason}",
    de: "{n} Losnummern ({share}) von {block} nähmen nicht an der Auslosung teil, und von dort käme bis zum Ende der Ausgabe niemand mehr dazu. Alle lesen: {reason}",
  },
  voidTitle: { en: "Void these entries", de: "Diese Losnummern für ungültig erklären" },
  voids: { en: "Voided", de: "Für ungültig erklärt" },
  voidLine: { en: "{reference}: {n} entries. {reason}", de: "{reference}: {n} Losnummern. {reason}" },
  restored: { en: "given back", de: "zurückgegeben" },
  restore: { en: "Give back", de: "Zurückgeben" },
  voidDone: { en: "Entries are void", de: "Losnummern sind ungültig" },
  restoreDone: { en: "Entries are given back", de: "Losnummern sind zurückgegeben" },
} satisfies LocalizedTexts;
