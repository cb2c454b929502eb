import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  title: { en: "Settings of {room}", de: "Einstellungen von {room}" },
  search: { en: "Find a setting", de: "Einstellung suchen" },
  liveOnly: { en: "Only those that were changed live ({n})", de: "Nur live geänderte ({n})" },
  noMatch: {
    en: "No setting has this in its name or its meaning.",
    de: "Keine Einstellung hat das in Name oder Bedeutung.",
  },
  ungrouped: { en: "The room", de: "Der Raum" },
  documentGroup: { en: "Ways into the room", de: "Wege in den Raum" },
  file: { en: "File", de: "Datei" },
  live: { en: "Live", de: "Live" },
  inForce: { en: "In force", de: "In Kraft" },
  revert: { en: "Give back to the file", de: "An die Datei zurückgeben" },
  willRevert: { en: "It will be the file's again.", de: "Danach gilt wieder, was die Datei sagt." },
  willBeRemoved: { en: "It will be taken away.", de: "Die Angabe wird entfernt." },
  discard: { en: "Leave it as it is", de: "So lassen, wie es ist" },
  discardAll: { en: "Leave all as it is", de: "Alles so lassen, wie es ist" },
  pending: { en: "What would change", de: "Was sich ändern würde" },
  noChange: { en: "Nothing: what is written is in force already.", de: "Nichts: Was da steht, gilt schon." },
  becomes: { en: "becomes", de: "wird zu" },
  reverted: { en: "given back", de: "zurückgegeben" },
  faultCount: { en: "Mend first what is marked: {n}.", de: "Erst berichtigen, was markiert ist: {n}." },
  overtaken: {
    en: "Somebody else has changed one of these settings meanwhile. Nothing was sent: look at what is marked.",
    de: "Jemand anderes hat inzwischen eine dieser Einstellungen geändert. Nichts wurde gesendet: Sehen Sie nach, was markiert ist.",
  },
  changedMeanwhile: {
    en: "Somebody else has changed this meanwhile. In force now: {value}",
    de: "Jemand anderes hat das inzwischen geändert. In Kraft ist jetzt: {value}",
  },
  takeTheirs: { en: "Leave theirs", de: "Fremde Änderung lassen" },
  keepMine: { en: "Go on with mine", de: "Meine Änderung behalten" },
  done: { en: "Changed settings: {n}.", de: "Geänderte Einstellungen: {n}." },
} satisfies LocalizedTexts;
