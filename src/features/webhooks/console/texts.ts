import type { LocalizedTexts } from "../../../operate/console/frame/speech.ts";

export const texts = {
  what: {
    en: "A webhook is an address to which Usher posts what happens, signed and in order.",
    de: "Ein Webhook ist eine Adresse, an die Usher schickt, was geschieht: signiert und der Reihe nach.",
  },
  none: {
    en: "There is no webhook yet. Make one for each receiver.",
    de: "Es gibt noch keinen Webhook. Legen Sie für jeden Empfänger einen an.",
  },
  webhook: { en: "Webhook", de: "Webhook" },
  receiver: { en: "Receiver", de: "Empfänger" },
  newWebhook: { en: "New webhook", de: "Neuer Webhook" },
  create: { en: "Make the webhook", de: "Webhook anlegen" },
  gone: {
    en: "There is no such webhook. Somebody may have deleted it.",
    de: "Diesen Webhook gibt es nicht. Vielleicht hat ihn jemand gelöscht.",
  },
  url: { en: "Address", de: "Adresse" },
  urlHint: { en: "The https address of the receiver.", de: "Die https-Adresse des Empfängers." },
  noteHint: { en: "What it is for (optional).", de: "Wofür er ist (freiwillig)." },
  roomsHint: {
    en: "None ticked: all rooms, and what is of no room.",
    de: "Keiner angekreuzt: alle Räume, und was zu keinem Raum gehört.",
  },
  types: { en: "Events", de: "Ereignisse" },
  typesHint: {
    en: "None ticked: all but figures and admissions, which come often. A * stands for all that begin so.",
    de: "Keines angekreuzt: alle außer Zahlen und Einlässen, die oft kommen. Ein * steht für alle, die so beginnen.",
  },
  format: { en: "Format", de: "Format" },
  formats: {
    cloudevents: { en: "CloudEvents", de: "CloudEvents" },
    slack: { en: "Slack: a line of words", de: "Slack: eine Zeile Text" },
  },
  sending: { en: "Sending", de: "Versand" },
  enabled: { en: "sends", de: "sendet" },
  disabled: { en: "keeps events back", de: "hält Ereignisse zurück" },
  secret: { en: "The secret of the webhook", de: "Das Geheimnis des Webhooks" },
  secretNote: {
    en: "Enter it at the receiver, which checks by it that an event is from Usher.",
    de: "Tragen Sie es beim Empfänger ein, der damit prüft, ob ein Ereignis von Usher ist.",
  },
  test: { en: "Send a test", de: "Test senden" },
  deleteWarning: {
    en: "It is removed at once, with all that waits for it and its dead letters.",
    de: "Er wird sofort entfernt, mit allem, was auf ihn wartet, und seinen unzustellbaren Ereignissen.",
  },
  attempt: {
    accepted: { en: "The receiver accepted it.", de: "Der Empfänger hat es angenommen." },
    refused: { en: "It did not arrive.", de: "Es ist nicht angekommen." },
    status: { en: "It answered with the status {status}.", de: "Er hat mit dem Status {status} geantwortet." },
    duration: { en: "It took {ms} ms.", de: "Es hat {ms} ms gedauert." },
  },
  letters: {
    title: { en: "Dead letters", de: "Unzustellbare Ereignisse" },
    what: {
      en: "Events that the receiver refused for 24 hours, by room and oldest first. Sent again, one that is accepted is gone from here.",
      de: "Ereignisse, die der Empfänger 24 Stunden lang abgelehnt hat, nach Raum und das älteste zuerst. Wird eines beim erneuten Senden angenommen, verschwindet es hier.",
    },
    none: { en: "None: nothing was given up.", de: "Keine: Nichts wurde aufgegeben." },
    noneOnPage: { en: "None on this page.", de: "Keine auf dieser Seite." },
    replayAll: { en: "Send these {n} again", de: "Diese {n} noch einmal senden" },
    replayed: { en: "{n} of {all} accepted.", de: "{n} von {all} angenommen." },
    previousPage: { en: "The page before", de: "Vorige Seite" },
    nextPage: { en: "The next page", de: "Nächste Seite" },
    event: { en: "Event", de: "Ereignis" },
    subject: { en: "Of", de: "Von" },
    givenUp: { en: "Given up", de: "Aufgegeben" },
    reason: { en: "Why", de: "Warum" },
    attempts: { en: "attempts: {n}", de: "Versuche: {n}" },
    replay: { en: "Send again", de: "Noch einmal senden" },
  },
  health: {
    isBehind: { en: "A webhook is behind", de: "Ein Webhook ist im Rückstand" },
    gaveUp: {
      en: "An event for a webhook was given up",
      de: "Ein Ereignis für einen Webhook wurde aufgegeben",
    },
    lag: { en: "Behind", de: "Rückstand" },
    lastGaveUp: { en: "Last given up", de: "Zuletzt aufgegeben" },
  },
  alerts: {
    look: {
      en: "A webhook hears of this room. Send a test event to see that it arrives.",
      de: "Ein Webhook hört von diesem Raum. Senden Sie ein Testereignis, um zu sehen, dass es ankommt.",
    },
    left: {
      en: "No webhook hears of this room: nobody is told of an alarm.",
      de: "Kein Webhook hört von diesem Raum: Niemand erfährt von einem Alarm.",
    },
    unknown: {
      en: "Whether a webhook hears of this room is told to admins for all rooms alone.",
      de: "Ob ein Webhook von diesem Raum hört, erfahren nur Admins für alle Räume.",
    },
  },
} satisfies LocalizedTexts;
