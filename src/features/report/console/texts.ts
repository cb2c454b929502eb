import type { LocalizedTexts } from "../../../operate/console/frame/speech.ts";

export const texts = {
  notOver: { en: "The sale is not over: {n} wait.", de: "Der Verkauf ist nicht vorbei: {n} warten." },
  report: {
    title: { en: "Figures, report and proof", de: "Zahlen, Bericht und Beweis" },
    what: {
      en: "How many were let in, how long they waited, and whether the limit held. This browser reads every row of the admission log, computes its chain itself, and makes the report of it. The gateway cannot tell it that all is well.",
      de: "Wie viele hineinkamen, wie lange sie warteten und ob die Grenze hielt. Dieser Browser liest jede Zeile des Einlassprotokolls, rechnet seine Kette selbst nach und macht daraus den Bericht. Das Gateway kann ihm nicht sagen, alles sei gut.",
    },
    create: { en: "Check the log and make the report", de: "Protokoll prüfen und Bericht machen" },
    progress: { en: "{rows} of {of} rows", de: "{rows} von {of} Zeilen" },
    save: { en: "Save the report as a page", de: "Bericht als Seite speichern" },
    none: {
      en: "The log has nothing to report: no row says what was in force.",
      de: "Das Protokoll hat nichts zu berichten: Keine Zeile sagt, was galt.",
    },
    span: { en: "From {from} to {to}", de: "Von {from} bis {to}" },
    admitted: { en: "let in", de: "hineingelassen" },
    joined: { en: "joined", de: "angestellt" },
    noShows: { en: "called and did not come", de: "aufgerufen und nicht erschienen" },
    left: { en: "gave up the place", de: "gaben den Platz auf" },
    medianWait: { en: "half waited at most", de: "die Hälfte wartete höchstens" },
    longestWait: { en: "longest wait", de: "längste Wartezeit" },
    peak: { en: "most in 60 seconds", de: "höchstens in 60 Sekunden" },
    overLimit: { en: "times over the limit", de: "Mal über der Grenze" },
    noLimit: { en: "no limit", de: "keine Grenze" },
    incidents: { en: "What came in between", de: "Was dazwischenkam" },
    noIncidents: { en: "No pause, no loss of the store.", de: "Keine Pause, kein Verlust des Speichers." },
    interruptions: {
      paused: { en: "Held from {from} to {to}", de: "Angehalten von {from} bis {to}" },
      not_logged: { en: "Not logged from {from} to {to}", de: "Nicht protokolliert von {from} bis {to}" },
    },
    recovered: {
      en: "Recovered from a loss of the store at {at}",
      de: "Nach einem Verlust des Speichers wiederhergestellt um {at}",
    },
  },
  chain: {
    intact: { en: "The chain holds.", de: "Die Kette hält." },
    broken: { en: "The chain is broken.", de: "Die Kette ist gebrochen." },
    rows: { en: "Rows checked: {n}.", de: "Geprüfte Zeilen: {n}." },
    fault: { en: "Line {line}: {why}.", de: "Zeile {line}: {why}." },
    head: {
      en: "The last hash that the gateways sealed is the one that was computed here. Whether it is the one that was published during the sale, only you can compare.",
      de: "Der letzte Hash, den die Gateways versiegelt haben, ist der hier berechnete. Ob er der ist, der während des Verkaufs veröffentlicht wurde, können nur Sie vergleichen.",
    },
    before: {
      en: "Rows up to {n} are kept no more, and were not checked.",
      de: "Zeilen bis {n} sind nicht mehr aufbewahrt und wurden nicht geprüft.",
    },
    missing: {
      en: "Gaps in the numbers, behind a loss of the store: {n}.",
      de: "Lücken in den Nummern, nach einem Verlust des Speichers: {n}.",
    },
  },
  files: {
    title: { en: "Files", de: "Dateien" },
    figures: {
      en: "Figures by minute, of the last day at most (CSV)",
      de: "Zahlen je Minute, höchstens des letzten Tages (CSV)",
    },
    log: {
      en: "Admission log (for usher verify-log and usher report)",
      de: "Einlassprotokoll (für usher verify-log und usher report)",
    },
    draw: {
      en: "The draw is checked by anybody with usher verify-draw; its record is at {issuer}/rooms/{room}/draw.",
      de: "Die Auslosung prüft jeder mit usher verify-draw; ihr Protokoll steht unter {issuer}/rooms/{room}/draw.",
    },
  },
  prepare: {
    title: { en: "Prepare the next sale", de: "Nächsten Verkauf vorbereiten" },
    what: {
      en: "All places are void and a new line begins, the room goes back before its line, and what was changed at run time is given back to the configuration file, but for what you keep. The report of this sale can be made until the next one lets somebody in.",
      de: "Alle Plätze verfallen und eine neue Schlange beginnt, der Raum geht zurück vor seine Schlange, und was im Betrieb geändert wurde, gilt wieder wie in der Konfigurationsdatei, außer was Sie behalten. Den Bericht über diesen Verkauf gibt es, bis der nächste jemanden einlässt.",
    },
    differences: { en: "Changed at run time", de: "Im Betrieb geändert" },
    noDifferences: { en: "No setting was changed at run time.", de: "Im Betrieb wurde keine Einstellung geändert." },
    keep: { en: "Keep", de: "Behalten" },
    fileValue: { en: "(file: {value})", de: "(Datei: {value})" },
    prequeueAt: { en: "The next doors open, the line waits", de: "Der nächste Einlass in die Schlange beginnt" },
    opensAt: { en: "The next sale opens", de: "Der nächste Verkauf öffnet" },
    zone: {
      en: "In the time zone of this computer. Left empty, the times of the file are in force.",
      de: "In der Zeitzone dieses Computers. Leer gelassen gelten die Zeiten der Datei.",
    },
    start: { en: "Prepare the next sale", de: "Nächsten Verkauf vorbereiten" },
    continue: { en: "Go on where it stopped", de: "Dort weitermachen, wo es aufhörte" },
    steps: {
      reset: { en: "Reset the line", de: "Schlange zurücksetzen" },
      idle: { en: "Back before the line", de: "Zurück vor die Schlange" },
      settings: { en: "Give settings back, enter times", de: "Einstellungen zurückgeben, Zeiten eintragen" },
    },
    done: { en: "done", de: "erledigt" },
    notDone: { en: "not done", de: "nicht erledigt" },
  },
} satisfies LocalizedTexts;
