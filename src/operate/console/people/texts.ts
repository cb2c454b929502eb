import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  what: {
    en: "Who is signed in with a browser. A session ends with the key that it was made with, by signing out, or here.",
    de: "Wer mit einem Browser angemeldet ist. Eine Sitzung endet mit dem Schlüssel, mit dem sie begann, durch Abmelden oder hier.",
  },
  sessions: { en: "Sessions", de: "Sitzungen" },
  none: { en: "Nobody is signed in with a browser.", de: "Niemand ist mit einem Browser angemeldet." },
  who: { en: "Who", de: "Wer" },
  thisBrowser: { en: "this browser", de: "dieser Browser" },
  since: { en: "Signed in", de: "Angemeldet" },
  seen: { en: "Last seen", de: "Zuletzt gesehen" },
  ago: { en: "about {age} ago", de: "vor etwa {age}" },
  ends: { en: "Ends at the latest", de: "Endet spätestens" },
  endSession: { en: "End the session", de: "Sitzung beenden" },
  endWarning: {
    en: "{name} is signed out at all processes, and has to sign in again.",
    de: "{name} wird an allen Prozessen abgemeldet und muss sich neu anmelden.",
  },
  endOwnWarning: {
    en: "This is your own session: you are signed out, and have to sign in again.",
    de: "Das ist Ihre eigene Sitzung: Sie werden abgemeldet und müssen sich neu anmelden.",
  },
  signIn: { en: "How people sign in", de: "Wie man sich anmeldet" },
  provider: {
    en: "At the organisation's provider (admin.sign_in). Its rules say which claim gives which role; they stand in the configuration file.",
    de: "Beim Anbieter der Organisation (admin.sign_in). Seine Regeln sagen, welcher Claim welche Rolle gibt; sie stehen in der Konfigurationsdatei.",
  },
  noProvider: {
    en: "No provider is configured (admin.sign_in).",
    de: "Kein Anbieter ist eingerichtet (admin.sign_in).",
  },
  byKey: { en: "With an admin key.", de: "Mit einem Admin-Schlüssel." },
} satisfies LocalizedTexts;
