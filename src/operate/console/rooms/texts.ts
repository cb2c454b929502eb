import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  none: { en: "There are no rooms that you may see.", de: "Es gibt keine Räume, die Sie sehen dürfen." },
  noneReason: {
    en: "An admin makes rooms in the configuration file or by the admin API.",
    de: "Räume werden in der Konfigurationsdatei oder über die Admin-API angelegt.",
  },
  phases: {
    idle: { en: "Before the line", de: "Vor der Schlange" },
    prequeue: { en: "Doors open, line waits", de: "Einlass in die Schlange, sie steht noch" },
    open: { en: "Open", de: "Offen" },
    paused: { en: "Paused", de: "Angehalten" },
    ended: { en: "Ended", de: "Beendet" },
    passthrough: { en: "Everybody passes", de: "Alle gehen durch" },
  },
  reasons: {
    sold_out: { en: "sold out", de: "ausverkauft" },
    operator: { en: "by an operator", de: "durch den Betrieb" },
    alarm: { en: "by an alarm", de: "durch einen Alarm" },
    unhealthy: { en: "the site is unhealthy", de: "die Website ist gestört" },
    recovered: { en: "after a loss in the store", de: "nach einem Verlust im Speicher" },
  },
  rehearsal: { en: "Rehearsal", de: "Probe" },
  waiting: { en: "waiting", de: "warten" },
  figures: {
    entering: { en: "Entering a minute, over 3 min", de: "Eintritte je Minute, über 3 min" },
    live: { en: "Inside", de: "Drinnen" },
    absent: { en: "Absent", de: "Abwesend" },
    ends: { en: "Line ends", de: "Ende der Schlange" },
    next: { en: "Next", de: "Als Nächstes" },
  },
  ofLimit: { en: "{n} of {limit}", de: "{n} von {limit}" },
  ends: {
    range: { en: "{from}–{to}", de: "{from}–{to}" },
    after: { en: "after {time}", de: "nach {time}" },
    never: { en: "not within a week at this pace", de: "bei diesem Tempo nicht in einer Woche" },
    unknown: { en: "not known yet", de: "noch nicht bekannt" },
    nobody: { en: "nobody waits", de: "niemand wartet" },
  },
  next: {
    prequeue_at: { en: "doors {time}, in {age}", de: "Einlass {time}, in {age}" },
    opens_at: { en: "opens {time}, in {age}", de: "öffnet {time}, in {age}" },
    ends_at: { en: "ends {time}, in {age}", de: "endet {time}, in {age}" },
    none: { en: "nothing scheduled", de: "nichts geplant" },
  },
  sparkline: {
    en: "Waiting in the last 15 minutes: from {from} to {to}, at most {most}",
    de: "Wartende in den letzten 15 Minuten: von {from} auf {to}, höchstens {most}",
  },
  sparklineEmpty: {
    en: "Waiting in the last 15 minutes: nothing recorded yet",
    de: "Wartende in den letzten 15 Minuten: noch nichts aufgezeichnet",
  },
  levels: {
    act: { en: "Act", de: "Handeln" },
    look: { en: "Look", de: "Ansehen" },
  },
  attention: {
    away: {
      en: "The store is away: nobody can enter, and these figures are the last known.",
      de: "Der Speicher ist weg: Niemand kommt hinein, und dies sind die letzten bekannten Zahlen.",
    },
    recovering: {
      en: "The room recovers after a loss in the store.",
      de: "Der Raum erholt sich von einem Verlust im Speicher.",
    },
    unknown: { en: "This process does not know the room yet.", de: "Dieser Prozess kennt den Raum noch nicht." },
    paused: {
      sold_out: {
        en: "Everything is sold, and visitors wait for what is returned.",
        de: "Alles ist verkauft, und die Wartenden hoffen auf Rückgaben.",
      },
      operator: { en: "An operator has paused the line.", de: "Der Betrieb hat die Schlange angehalten." },
      alarm: { en: "An alarm holds the line.", de: "Ein Alarm hält die Schlange an." },
      unhealthy: {
        en: "The line is held because the site is unhealthy.",
        de: "Die Schlange steht, weil die Website gestört ist.",
      },
      recovered: {
        en: "The room was found empty after a loss, and waits for an operator.",
        de: "Der Raum war nach einem Verlust leer und wartet auf den Betrieb.",
      },
    },
    held: {
      en: "Nobody enters until {time}, after a recovery.",
      de: "Bis {time} kommt niemand hinein: Der Raum hat sich erholt.",
    },
    never: {
      en: "By the last three minutes, the line grows faster than it moves.",
      de: "Nach den letzten drei Minuten wächst die Schlange schneller, als sie vorankommt.",
    },
    warning: { en: "{text}", de: "{text}" },
    approval: {
      end: {
        en: "Somebody asks to end the room: it waits for a second person.",
        de: "Jemand möchte den Raum beenden: Es wartet auf eine zweite Person.",
      },
      passthrough: {
        en: "Somebody asks to let everybody pass: it waits for a second person.",
        de: "Jemand möchte alle durchlassen: Es wartet auf eine zweite Person.",
      },
      reset: {
        en: "Somebody asks to void all places: it waits for a second person.",
        de: "Jemand möchte alle Plätze verfallen lassen: Es wartet auf eine zweite Person.",
      },
    },
  },
  unknownRoom: {
    en: "There is no such room, or none that you may see.",
    de: "Es gibt keinen solchen Raum, oder keinen, den Sie sehen dürfen.",
  },
} satisfies LocalizedTexts;
