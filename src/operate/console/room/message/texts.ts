import type { LocalizedTexts } from "../../frame/speech.ts";

export const texts = {
  control: { en: "Message", de: "Nachricht" },
  title: { en: "Message on the pages of the room", de: "Nachricht auf den Seiten des Raums" },
  none: { en: "none shown", de: "keine gezeigt" },
  showAndPause: { en: "Show, and pause the line", de: "Zeigen und Schlange anhalten" },
  show: { en: "Show", de: "Zeigen" },
  withdraw: { en: "Withdraw the message", de: "Nachricht zurücknehmen" },
  discard: { en: "Discard what is not shown yet", de: "Verwerfen, was noch nicht gezeigt wird" },
  ready: { en: "Ready messages", de: "Fertige Nachrichten" },
  readyMessages: {
    short_delay: { en: "Short delay", de: "Kurze Verzögerung" },
    technical_problem: { en: "Technical problem", de: "Technische Störung" },
    going_on: { en: "It goes on", de: "Es geht weiter" },
    last_tickets: { en: "Last tickets", de: "Letzte Karten" },
    sold_out: { en: "Sold out", de: "Ausverkauft" },
  },
  languages: { en: "Text in", de: "Text auf" },
  everybody: { en: "one language for everybody", de: "einer Sprache für alle" },
  anotherLanguage: { en: "Another language", de: "Weitere Sprache" },
  addLanguage: { en: "Add the language", de: "Sprache hinzufügen" },
  removeLanguage: { en: "Remove {language}", de: "{language} entfernen" },
  severity: { en: "Shown as", de: "Gezeigt als" },
  severities: {
    information: { en: "Information", de: "Hinweis" },
    warning: { en: "Important", de: "Wichtig" },
    sold_out: { en: "Sold out", de: "Ausverkauft" },
  },
  preview: { en: "Preview on a phone", de: "Vorschau auf einem Telefon" },
} satisfies LocalizedTexts;
