import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  perMinute: { en: "{n} a minute", de: "{n} je Minute" },
  home: {
    named: {
      en: "Clients of {system} come here, too, and call the room {ids}. Guide: {guide}",
      de: "Hierher kommen auch Clients von {system}, bei denen der Raum {ids} heißt. Anleitung: {guide}",
    },
    unnamed: {
      en: "Clients of {system} come here, too. Guide: {guide}",
      de: "Hierher kommen auch Clients von {system}. Anleitung: {guide}",
    },
  },
  tools: { en: "Controls", de: "Bedienung" },
  over: { en: "The sale is over.", de: "Der Verkauf ist vorbei." },
  figures: {
    waiting: { en: "Waiting", de: "Wartend" },
    arriving: { en: "{n} a minute arriving", de: "{n} je Minute kommen" },
    entering: { en: "Entering a minute", de: "Eintritte je Minute" },
    of: { en: "of {n}", de: "von {n}" },
    inside: { en: "Inside", de: "Drinnen" },
    absent: { en: "{n} called, and not here", de: "{n} aufgerufen, nicht da" },
    ends: { en: "Line ends", de: "Ende der Schlange" },
    left: { en: "Left to sell", de: "Noch übrig" },
    reported: { en: "{age} ago", de: "vor {age}" },
  },
  people: {
    one: { en: "1 person", de: "1 Person" },
    many: { en: "{n} people", de: "{n} Personen" },
  },
  questions: {
    prequeue: {
      en: "Visitors could join, and nobody would enter before the room opens: {people} would wait.",
      de: "Besucher könnten sich anstellen, und bis der Raum öffnet, käme niemand hinein: {people} müssten warten.",
    },
    open: {
      en: "The line would move: {people} would enter one after the other, at the pace of the room.",
      de: "Die Schlange liefe: {people} kämen nacheinander hinein, im Tempo des Raums.",
    },
    openDraws: {
      en: "The draw would be held now, once and for all, among {people}. Then they would enter in its order.",
      de: "Jetzt würde verlost, ein für alle Mal, unter {people}. In dieser Reihenfolge ginge es dann hinein.",
    },
    idle: {
      en: "Nobody could join or enter before the room opens: {people} would keep their places, and wait.",
      de: "Bis der Raum öffnet, käme niemand dazu und niemand hinein: {people} behielten den Platz und müssten warten.",
    },
    passthrough: {
      en: "{people} would be let in at once, and so would all who arrive later, past any limit.",
      de: "{people} kämen sofort hinein, und alle, die später kommen, auch, über jede Grenze hinaus.",
    },
    end: { en: "{people} would be turned away.", de: "{people}: für sie alle wäre die Schlange zu Ende." },
    reset: {
      en: "{people} would lose their places, and have to join anew.",
      de: "{people}: sie alle verlören den Platz und müssten sich neu anstellen.",
    },
    soldOutHolds: {
      en: "The line would stop for {people}, who can wait for returns.",
      de: "Die Schlange hielte an: {people} könnten auf Rückgaben warten.",
    },
    soldOutEnds: {
      en: "The line would end: {people} would be turned away.",
      de: "Die Schlange wäre zu Ende, für {people}.",
    },
  },
  more: {
    title: { en: "More", de: "Mehr" },
    value: { en: "open, end, reset, call", de: "öffnen, beenden …" },
  },
  rate: {
    tool: { en: "Pace", de: "Tempo" },
    title: { en: "Admissions a minute", de: "Eintritte je Minute" },
    none: { en: "no limit", de: "unbegrenzt" },
    invalid: { en: "A whole number from 1 to 1,000,000.", de: "Eine ganze Zahl von 1 bis 1.000.000." },
    forecast: {
      en: "The line would end: {wanted}. Now: {now}.",
      de: "Die Schlange würde enden: {wanted}. Jetzt: {now}.",
    },
  },
  call: {
    title: { en: "Call the next", de: "Die Nächsten aufrufen" },
    call: { en: "Call", de: "Aufrufen" },
    value: { en: "up to {n}", de: "bis {n}" },
  },
  stock: {
    title: { en: "Left to sell", de: "Noch übrig" },
    label: { en: "How many are left", de: "Wie viele es noch sind" },
    none: { en: "not set", de: "nicht gesetzt" },
    soldOut: { en: "Sold out", de: "Ausverkauft" },
    set: { en: "Set", de: "Setzen" },
    invalid: { en: "A whole number from 0 to 1,000,000,000.", de: "Eine ganze Zahl von 0 bis 1.000.000.000." },
    unknown: { en: "Not set.", de: "Nicht gesetzt." },
    reported: { en: "{n} were left {age} ago.", de: "Vor {age} waren es noch {n}." },
    zeroHolds: {
      en: "At 0 the room is sold out, and people can wait for returns.",
      de: "Bei 0 ist ausverkauft, und Besucher können auf Rückgaben warten.",
    },
    zeroEnds: {
      en: "At 0 the room is sold out: the line ends.",
      de: "Bei 0 ist ausverkauft: Die Schlange ist zu Ende.",
    },
    remove: { en: "Take the number away", de: "Die Zahl entfernen" },
  },
  steps: {
    prequeue: { en: "Open the doors", de: "Einlass in die Schlange" },
    open: { en: "Open the room", de: "Raum öffnen" },
    idle: { en: "Back before the line", de: "Zurück vor die Schlange" },
    passthrough: { en: "Let everybody pass", de: "Alle durchlassen" },
    end: { en: "End the room", de: "Raum beenden" },
    reset: { en: "Reset: void all places", de: "Zurücksetzen: alle Plätze verfallen" },
    pause: { en: "Pause the line", de: "Schlange anhalten" },
    resume: { en: "Let the line go on", de: "Schlange weiterlaufen lassen" },
  },
  done: {
    pause: { en: "The line is paused.", de: "Die Schlange steht." },
    resume: { en: "The line goes on.", de: "Die Schlange läuft weiter." },
    rate: { en: "{n} may enter a minute.", de: "{n} dürfen je Minute eintreten." },
    call: { en: "{n} were called.", de: "{n} wurden aufgerufen." },
    stock: { en: "{n} are left to sell.", de: "{n} sind noch zu verkaufen." },
    stockNone: { en: "The room is sold out.", de: "Der Raum ist ausverkauft." },
    stockRemoved: { en: "The number of what is left is taken away.", de: "Die Zahl des Rests ist entfernt." },
    message: { en: "The message is on the pages.", de: "Die Nachricht steht auf den Seiten." },
    messageWithdrawn: {
      en: "The message is withdrawn. Where the file has one, it is that again.",
      de: "Die Nachricht ist zurückgenommen. Hat die Datei eine, gilt wieder diese.",
    },
    bypass: {
      en: "The link is made: it lets one person in, once.",
      de: "Der Link ist erstellt: Er lässt eine Person ein, einmal.",
    },
    prequeue: { en: "The doors are open.", de: "Der Einlass hat begonnen." },
    open: { en: "The room is open.", de: "Der Raum ist offen." },
    idle: { en: "The room is before its line.", de: "Der Raum ist vor seiner Schlange." },
    passthrough: { en: "Everybody passes.", de: "Alle gehen durch." },
    end: { en: "The room has ended.", de: "Der Raum ist beendet." },
    reset: { en: "A new line has begun.", de: "Eine neue Schlange hat begonnen." },
  },
  keyboard: {
    title: { en: "Keyboard", de: "Tastatur" },
    enabled: { en: "Keys are on", de: "Tasten sind an" },
    keys: {
      p: { en: "to the pause", de: "zum Anhalten" },
      r: { en: "to the rate", de: "zum Tempo" },
      m: { en: "to the message", de: "zur Nachricht" },
      b: { en: "to the link past the line", de: "zum Link, der jemanden vorlässt" },
      "/": { en: "to the search for a visitor", de: "zur Suche nach einem Besucher" },
      "?": { en: "these keys", de: "diese Tasten" },
    },
  },
  softBlocks: {
    title: { en: "Refused a place, or asked for a check", de: "Abgewiesen oder geprüft" },
    hint: {
      en: "By the process that answers, since {time}. Networks are /24 (IPv4) or /48 (IPv6); no address is kept.",
      de: "Vom Prozess, der antwortet, seit {time}. Netze sind /24 (IPv4) oder /48 (IPv6); keine Adresse wird behalten.",
    },
    network: { en: "Network", de: "Netz" },
    rule: { en: "Rule", de: "Regel" },
    checks: {
      asked: { en: "Asked for a check", de: "Zur Prüfung gebeten" },
      slowed: { en: "of these, harder work", de: "davon mit mehr Arbeit" },
      passed: { en: "Passed it", de: "Bestanden" },
      failed: { en: "Failed it", de: "Nicht bestanden" },
    },
    all: { en: "All ({n} joined)", de: "Alle ({n} haben einen Platz)" },
  },
  company: {
    title: { en: "Also here", de: "Auch hier" },
    more: { en: "{n} more", de: "{n} weitere" },
  },
  wakeLock: {
    title: { en: "Keep the screen awake", de: "Bildschirm anlassen" },
    refused: { en: "The browser does not at present.", de: "Der Browser tut es zurzeit nicht." },
  },
  approvals: {
    title: { en: "Waits for a second person", de: "Wartet auf eine zweite Person" },
    requestedBy: { en: "{name} asks for it.", de: "{name} bittet darum." },
    requestedByYou: {
      en: "You have asked for it. Another person has to approve it.",
      de: "Sie haben darum gebeten. Jemand anderes muss zustimmen.",
    },
    until: { en: "It waits until {time}.", de: "Es wartet bis {time}." },
    approve: { en: "Approve", de: "Zustimmen" },
    decline: { en: "Decline", de: "Ablehnen" },
    declined: { en: "It was declined.", de: "Es wurde abgelehnt." },
    withdraw: { en: "Withdraw", de: "Zurückziehen" },
    withdrawn: { en: "It was withdrawn.", de: "Es wurde zurückgezogen." },
  },
} satisfies LocalizedTexts;
