import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  bypass: {
    title: { en: "Let one person past", de: "Vorlassen" },
    value: { en: "a link for one person", de: "Link für eine Person" },
    note: { en: "What it is for (optional)", de: "Wofür er ist (freiwillig)" },
    create: { en: "Make a link", de: "Link erstellen" },
    hint: {
      en: "Lets one person in. It works once, for three minutes: make it when they are ready to open it.",
      de: "Lässt eine Person ein. Er gilt einmal und drei Minuten lang: Erstellen Sie ihn, wenn sie bereit ist, ihn zu öffnen.",
    },
  },
  lookup: {
    title: { en: "Find a visitor", de: "Besucher suchen" },
    value: { en: "number, sub or ticket", de: "Nummer, sub, Ticket" },
    hint: {
      en: "The number on their page, the sub that the site has, or a ticket",
      de: "Die Nummer auf der Seite, das sub der Website oder ein Ticket",
    },
    find: { en: "Find", de: "Suchen" },
    ambiguous: {
      en: "This number is a position and an entry number. Which is meant?",
      de: "Diese Nummer ist eine Position und eine Losnummer. Welche ist gemeint?",
    },
    kinds: {
      position: { en: "The position", de: "Die Position" },
      entry: { en: "The entry number", de: "Die Losnummer" },
    },
    alternatives: {
      en: "Perhaps also: {states}. What was asked for does not tell these apart.",
      de: "Vielleicht auch: {states}. Die Angabe unterscheidet das nicht.",
    },
    asOf: { en: "As of {time}.", de: "Stand: {time}." },
  },
  states: {
    entered: { en: "Waits for the draw", de: "Wartet auf die Verlosung" },
    waiting: { en: "In line", de: "In der Schlange" },
    served: { en: "It is their turn", de: "An der Reihe" },
    admitted: { en: "Admitted", de: "Eingelassen" },
    expired: { en: "Expired", de: "Verfallen" },
    left: { en: "Left", de: "Gegangen" },
    moved: { en: "Moved to another browser", de: "In einen anderen Browser umgezogen" },
    unknown: { en: "Not known", de: "Nicht bekannt" },
  },
  place: {
    position: { en: "Position", de: "Position" },
    entry: { en: "Entry number", de: "Losnummer" },
    ahead: { en: "Ahead", de: "Davor" },
    sub: { en: "sub", de: "sub" },
  },
  history: {
    title: { en: "What has happened", de: "Was geschehen ist" },
    about: { en: "about {time}", de: "etwa {time}" },
    events: {
      arrived: { en: "arrived", de: "gekommen" },
      joined: { en: "joined", de: "angestellt" },
      served: { en: "the turn came", de: "an der Reihe" },
      expired: { en: "expired", de: "verfallen" },
      moved: { en: "moved to another browser", de: "in einen anderen Browser umgezogen" },
      admitted: { en: "admitted", de: "eingelassen" },
      ended: { en: "ended", de: "beendet" },
    },
  },
  debugLink: {
    create: { en: "Make a link for support", de: "Link für den Support erstellen" },
    why: {
      en: "It shows the same to one browser, the first in which it is opened.",
      de: "Er zeigt dasselbe in einem Browser: dem ersten, in dem er geöffnet wird.",
    },
  },
  link: {
    title: { en: "The link", de: "Der Link" },
    qrCode: { en: "The link as a QR code", de: "Der Link als QR-Code" },
    timeLeft: { en: "Works for {time} more.", de: "Gilt noch {time}." },
    ended: { en: "The link has ended.", de: "Der Link gilt nicht mehr." },
  },
} satisfies LocalizedTexts;
