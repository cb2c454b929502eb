import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  left: { en: "Left to do: {n}", de: "Noch zu tun: {n}" },
  noneLeft: { en: "Nothing that can be known is left to do.", de: "Nichts, was sich wissen lässt, ist noch zu tun." },
  states: {
    left: { en: "Left", de: "Offen" },
    look: { en: "Look", de: "Ansehen" },
    unknown: { en: "Cannot be known", de: "Nicht bekannt" },
    done: { en: "Done", de: "Erledigt" },
  },
  age: { en: "{age} old", de: "{age} alt" },
  lines: {
    scheduleDone: { en: "The room opens {opens_at}.", de: "Der Raum öffnet {opens_at}." },
    scheduleDoors: {
      en: "The doors open {prequeue_at}, the room {opens_at}.",
      de: "Der Einlass in die Schlange beginnt {prequeue_at}, der Raum öffnet {opens_at}.",
    },
    scheduleNone: {
      en: "The schedule has no opening: the room opens only if somebody opens it.",
      de: "Der Zeitplan hat keine Öffnung: Der Raum öffnet nur, wenn jemand ihn öffnet.",
    },
    schedulePast: {
      en: "The opening of the schedule is past: enter the time of the next sale.",
      de: "Die Öffnung im Zeitplan ist vorbei: Tragen Sie die Zeit des nächsten Verkaufs ein.",
    },
    phaseDone: { en: "The room waits for its opening: {phase}.", de: "Der Raum wartet auf seine Öffnung: {phase}." },
    phaseLeft: {
      en: "The phase is “{phase}”. Before a sale it is “{idle}”: choose “{step}” under the phases.",
      de: "Die Phase ist „{phase}“. Vor einem Verkauf ist sie „{idle}“: Wählen Sie bei den Phasen „{step}“.",
    },
    holds: {
      en: "The line is held, and would be at the opening: {why}.",
      de: "Die Schlange ist angehalten, und wäre es auch bei der Öffnung: {why}.",
    },
    peopleDone: { en: "Nobody is in line.", de: "Niemand steht in der Schlange." },
    peopleCame: { en: "{n} have come since the doors opened.", de: "{n} sind seit dem Beginn des Einlasses gekommen." },
    peopleLeft: {
      en: "{n} are in line, from a rehearsal perhaps: “{reset}” under the phases begins a new line.",
      de: "{n} stehen in der Schlange, vielleicht von einer Probe: „{reset}“ bei den Phasen beginnt eine neue Schlange.",
    },
    insideLook: {
      en: "{n} are still inside. A reset does not send them out: their admissions end by themselves.",
      de: "{n} sind noch drin. Zurücksetzen schickt sie nicht hinaus: Ihr Einlass endet von selbst.",
    },
    markDone: { en: "The room is not marked as a rehearsal.", de: "Der Raum ist nicht als Probe markiert." },
    markLeft: {
      en: "The room is marked as a rehearsal: all its pages say so. Take the mark off before visitors come.",
      de: "Der Raum ist als Probe markiert: Alle seine Seiten sagen das. Nehmen Sie die Marke weg, bevor Besucher kommen.",
    },
    limitDone: { en: "At most {n} enter a minute.", de: "Höchstens {n} kommen in einer Minute hinein." },
    limitNone: {
      en: "No limit of admissions a minute is set.",
      de: "Für Einlässe in der Minute ist keine Grenze gesetzt.",
    },
    liveDone: {
      en: "All settings are those of the configuration file.",
      de: "Alle Einstellungen sind die der Konfigurationsdatei.",
    },
    liveLook: {
      en: "Settings that were changed at run time and override the file: {n}.",
      de: "Im Betrieb geänderte Einstellungen, die vor der Datei gelten: {n}.",
    },
    messageDone: { en: "No message is on the pages.", de: "Auf den Seiten steht keine Nachricht." },
    messageLook: {
      en: "A message is on the pages: is it meant for the sale?",
      de: "Auf den Seiten steht eine Nachricht: Ist sie für den Verkauf gemeint?",
    },
    drawUncommitted: {
      en: "The draw is not committed to yet: it is as soon as the schedule has an opening.",
      de: "Die Auslosung ist noch nicht festgelegt: Das geschieht, sobald der Zeitplan eine Öffnung hat.",
    },
    drawDone: {
      en: "The draw is committed to, and the commitment is published at {issuer}/rooms/{room}/draw. Make it known elsewhere too, before the doors open.",
      de: "Die Auslosung ist festgelegt, und die Festlegung steht auf {issuer}/rooms/{room}/draw. Geben Sie sie vor dem Einlass auch anderswo bekannt.",
    },
    warning: { en: "Usher warns:", de: "Usher warnt:" },
    deskDone: {
      en: "The box office has a key, and may make links past the line.",
      de: "Die Kasse hat einen Schlüssel und darf Links an der Schlange vorbei erstellen.",
    },
    deskLook: {
      en: "The box office has no key of its own. People who sign in may make links past the line, too.",
      de: "Die Kasse hat keinen eigenen Schlüssel. Auch Personen, die sich anmelden, dürfen Links an der Schlange vorbei erstellen.",
    },
    deskUnknown: {
      en: "Which keys the box office has is told to admins for all rooms alone.",
      de: "Welche Schlüssel die Kasse hat, erfahren nur Admins für alle Räume.",
    },
    monitoring: {
      en: "Whether somebody watches /metrics and is woken is not known to Usher: ask them.",
      de: "Ob jemand /metrics überwacht und geweckt wird, weiß Usher nicht: Fragen Sie dort.",
    },
  },
} satisfies LocalizedTexts;
