/** What each setting means, in the console's languages: English is written from docs/configuration.md (settings-table.ts). */
import type { Localized } from "../frame/speech.ts";
import { meanings } from "./settings-table.ts";

type Path = keyof typeof meanings;

/** By the English sentence: one that is new, or was changed, has no German here, and that is a type error. */
const german: Readonly<Record<(typeof meanings)[Path], string>> = {
  "the name that visitors read; without it: the id": "der Name, den Besucher lesen; ohne Angabe: die ID",
  "what the room shows before it opens: a page, the site itself without limit, or another page to which visitors are sent; without it: `page`":
    "was der Raum zeigt, bevor er öffnet: eine Seite, die Website selbst ohne Begrenzung, oder eine andere Seite, zu der Besucher geschickt werden; ohne Angabe: `page`",
  "what the room shows after its end: as `when_idle`; without it: `page`":
    "was der Raum nach seinem Ende zeigt: wie bei `when_idle`; ohne Angabe: `page`",
  "where a visitor may go on who finds nothing to wait for, in this order":
    "wohin Besucher weitergehen können, wenn es nichts mehr zu erwarten gibt, in dieser Reihenfolge",
  "what is sold next; shown where nothing is left to wait for, and for calendars":
    "was als Nächstes verkauft wird; steht dort, wo es nichts mehr zu erwarten gibt, und in Kalendern",
  "what it is called; one text, or one for each language": "wie es heißt; ein Text, oder einer je Sprache",
  "when it begins; after that it is shown as one of `links`": "wann es beginnt; danach steht es bei den `links`",
  "its page: https (http for localhost only)": "die Seite dazu: https (http nur für localhost)",
  "what visitors may read while they wait, in Markdown: at most 3,000 characters, 15,000 in all languages together; one text, or one for each language; in place of that of the theme; `off`: none; without it: that of the theme":
    "was Besucher lesen können, während sie warten, als Markdown: höchstens 3.000 Zeichen, in allen Sprachen zusammen 15.000; ein Text, oder einer je Sprache; ersetzt den der Gestaltung; `off`: keiner; ohne Angabe: der der Gestaltung",
  "the most visitors who may wait; further ones get no place":
    "wie viele Besucher höchstens warten dürfen; weitere bekommen keinen Platz",
  "the number that is left to sell, which the shop tells": "wie viel noch zu verkaufen ist; der Shop meldet die Zahl",
  "what the pages say of it: `nothing`; `warning`: that it may be sold out before it is the visitor's turn; `number`: how many are left, besides":
    "was die Seiten davon sagen: `nothing`: nichts; `warning`: dass es ausverkauft sein kann, bevor man an der Reihe ist; `number`: außerdem, wie viel noch da ist",
  "how many a visitor buys on average: by that visitors are warned":
    "wie viel ein Besucher im Durchschnitt kauft: danach werden Besucher gewarnt",
  "once everything is sold: `true` holds the line while visitors may wait for what is returned, `false` ends it; a message may say otherwise":
    "wenn alles verkauft ist: Bei `true` steht die Schlange, und Besucher können auf Rückläufer warten; bei `false` endet sie. Eine Meldung kann etwas anderes sagen",
  "whether each admission and its end is an event": "ob jeder Einlass und sein Ende ein Ereignis ist",
  'whether the room is for rehearsals: all its pages say "This is a rehearsal. Nothing is sold here."':
    "ob der Raum für Proben ist: Alle seine Seiten sagen, dass das eine Probe ist und nichts verkauft wird",
  "whether visitors may have themselves notified by Web Push though their phone sleeps; Usher then speaks to the push services of browsers":
    "ob sich Besucher per Web Push benachrichtigen lassen können, auch wenn ihr Telefon schläft; Usher spricht dann mit den Push-Diensten der Browser",
  "whether visitors before the doors read how many have an entry number; where places are drawn, they always read how many take part":
    "ob Besucher vor dem Einlass lesen, wie viele eine Einlassnummer haben; wo Plätze ausgelost werden, lesen sie immer, wie viele teilnehmen",
  "how often a place may be moved to another browser: `once`, and places that are to be drawn not at all, so that neither goes from hand to hand for money; `never`; `unlimited`; without it: `once`":
    "wie oft ein Platz in einen anderen Browser umziehen kann: `once`: einmal, und Plätze, die noch ausgelost werden, gar nicht, damit beide nicht gegen Geld den Besitzer wechseln; `never`: nie; `unlimited`: beliebig oft; ohne Angabe: `once`",
  "whether a place is bound to its browser by a key that stays there: `offered`, where the browser can keep one; `required`, or it gives no place; not with `moves`, `identity` or `entry: invited`; without it: `none`":
    "ob ein Platz durch einen Schlüssel, der im Browser bleibt, an diesen gebunden ist: `offered`: wenn der Browser einen aufbewahren kann; `required`: sonst gibt es keinen Platz; nicht zusammen mit `moves`, `identity` oder `entry: invited`; ohne Angabe: `none`",
  "while the store is away: `hold`, nobody enters; `let_in`, after ten seconds each process lets visitors in by itself, at the last known pace; without it: `hold`":
    "solange der Speicher nicht erreichbar ist: `hold`: niemand tritt ein; `let_in`: nach zehn Sekunden lässt jeder Prozess selbst Besucher ein, im zuletzt bekannten Tempo; ohne Angabe: `hold`",
  "what is asked of a visitor before a place is given; this machine's own addresses are asked, too":
    "was von Besuchern verlangt wird, bevor sie einen Platz bekommen; auch von Adressen dieses Rechners",
  "`proof_of_work`: the browser does some arithmetic; `challenge`: that of a provider":
    "`proof_of_work`: Der Browser löst eine Rechenaufgabe; `challenge`: die Prüfung eines Anbieters",
  "`challenge` only, and required there: the id of one of `challenges`":
    "nur bei `challenge`, und dort Pflicht: die ID aus `challenges`",
  "what becomes of visitors while that provider does not answer: `hold`: they get no place; `let_in`: they need no check; `proof_of_work`: that instead":
    "was mit Besuchern geschieht, solange dieser Anbieter nicht antwortet: `hold`: Sie bekommen keinen Platz; `let_in`: Sie brauchen keine Prüfung; `proof_of_work`: stattdessen eine Rechenaufgabe",
  "`suspicious`: only where more have joined from the visitor's address block than its `share`":
    "`suspicious`: nur, wenn aus dem Adressblock des Besuchers mehr gekommen sind als der Anteil in `share`",
  "the part of `joins_per_address` that may join from a block before its visitors count as suspicious and the work gets harder":
    "welcher Teil von `joins_per_address` aus einem Block kommen darf, bevor seine Besucher als verdächtig gelten und die Aufgabe schwerer wird",
  "how hard the work is, as a multiple of the least": "wie schwer die Aufgabe ist, als Vielfaches der leichtesten",
  "the same for address blocks from which very many have joined":
    "dasselbe für Adressblöcke, aus denen sehr viele gekommen sind",
  "what becomes of visitors whose browsers run no scripts: `refuse`, or `wait`, then six join a minute from each address":
    "was mit Besuchern geschieht, deren Browser keine Skripte ausführen: `refuse`: Sie werden abgewiesen; `wait`: Sie warten, und danach bekommen je Adresse sechs in der Minute einen Platz",
  "how long those wait": "wie lange diese warten",
  "how many may take a place from one address (IPv4, or the /64 of IPv6; a /56 has four times as many, a /48 eight times), at all processes together; a further visitor gets a page that tries again by itself; `off`: any number. A mobile carrier or a university has thousands behind one address. Behind a proxy it needs `listen.trusted_proxies`. This machine's own addresses are not counted":
    "wie viele von einer Adresse einen Platz nehmen können (IPv4, oder das /64 bei IPv6; ein /56 hat viermal so viele, ein /48 achtmal), an allen Prozessen zusammen; wer darüber liegt, bekommt eine Seite, die es von selbst wieder versucht; `off`: beliebig viele. Hinter einer Adresse eines Mobilfunkanbieters oder einer Universität sind Tausende. Hinter einem Proxy braucht es `listen.trusted_proxies`. Adressen dieses Rechners zählen nicht",
  "places for each minute": "Plätze je Minute",
  "places that may be taken at once; without it: twice `per_minute`":
    "Plätze, die auf einmal genommen werden können; ohne Angabe: das Doppelte von `per_minute`",
  "places of one address in all, while entries of a draw are given (a /56 has four times as many, a /48 eight times), at all processes together; `off`: no such bound. Addresses of private networks are not counted so; without it: `10`":
    "Plätze einer Adresse insgesamt, solange Losnummern ausgegeben werden (ein /56 hat viermal so viele, ein /48 achtmal), an allen Prozessen zusammen; `off`: keine solche Grenze. Adressen privater Netze zählen dabei nicht; ohne Angabe: `10`",
  "ranges of addresses with limits of their own, such as a school's or a carrier's; the first that has the address counts":
    "Adressbereiche mit eigenen Grenzen, etwa die einer Schule oder eines Mobilfunkanbieters; es gilt der erste, in dem die Adresse liegt",
  "named groups of addresses and what becomes of those who come from them to join; the first that has the address counts, and all others are treated as everybody. All together have at most 2000 ranges. Behind a proxy it needs `listen.trusted_proxies`":
    "benannte Gruppen von Adressen, und was mit denen geschieht, die von dort einen Platz nehmen wollen; es gilt die erste, in der die Adresse liegt, und für alle anderen gilt das Übliche. Alle zusammen haben höchstens 2000 Bereiche. Hinter einem Proxy braucht es `listen.trusted_proxies`",
  "the HTTP status of the waiting page, by which programs, crawlers and CDNs tell it from the site":
    "der HTTP-Status der Warteseite, an dem Programme, Crawler und CDNs sie von der Website unterscheiden",
  "what moves the line": "was die Schlange bewegt",
  "`manual`: an operator moves the line; `periodic`: it moves by itself, at the outflow; `max_active`: it moves by itself, so that at most so many are in at the same time; `adaptive`: it moves by itself, at a rate that keeps the site at a latency":
    "`manual`: Ein Mensch bewegt die Schlange; `periodic`: Sie bewegt sich von selbst, mit den Eintritten je Minute; `max_active`: Sie bewegt sich von selbst, sodass höchstens so viele zugleich drin sind; `adaptive`: Sie bewegt sich von selbst, in einem Tempo, bei dem die Website ihre Antwortzeit hält",
  "admissions in any 60 seconds never exceed it; `periodic` needs it or `shared_outflow`, `adaptive` needs it":
    "mehr Eintritte gibt es in keinen 60 Sekunden; `periodic` braucht es oder `shared_outflow`, `adaptive` braucht es",
  "`periodic` and `adaptive` only: the line moves from this time on; places are handed out before, too":
    "nur bei `periodic` und `adaptive`: Die Schlange bewegt sich ab dieser Zeit; Plätze gibt es auch vorher",
  "`periodic` and `adaptive` only: the line moves until this time; places are handed out after, too":
    "nur bei `periodic` und `adaptive`: Die Schlange bewegt sich bis zu dieser Zeit; Plätze gibt es auch danach",
  "`max_active` only, and required there: how many may be in at the same time":
    "nur bei `max_active`, und dort Pflicht: wie viele zugleich drin sein können",
  "`adaptive` only: the least that the rate comes down to; without it: a hundredth of `outflow_per_minute`":
    "nur bei `adaptive`: das langsamste Tempo; ohne Angabe: ein Hundertstel von `outflow_per_minute`",
  "`adaptive` only: the rate that it begins with; without it: a tenth of `outflow_per_minute`":
    "nur bei `adaptive`: das Tempo am Anfang; ohne Angabe: ein Zehntel von `outflow_per_minute`",
  "`adaptive` only: the most that one decision adds; without it: a fiftieth of `outflow_per_minute`":
    "nur bei `adaptive`: um wie viel eine Entscheidung das Tempo höchstens erhöht; ohne Angabe: ein Fünfzigstel von `outflow_per_minute`",
  "`adaptive` only: the target, in milliseconds": "nur bei `adaptive`: die angestrebte Antwortzeit in Millisekunden",
  "`adaptive` only: the target, as a multiple of what the site takes under little load; of both the lower; without it: 3, or none where there is a `latency_ms`":
    "nur bei `adaptive`: die angestrebte Antwortzeit, als Vielfaches der Antwortzeit bei wenig Last; von beiden gilt die kürzere; ohne Angabe: 3, oder keine, wenn es `latency_ms` gibt",
  "`adaptive` only: a greater fraction of errors lowers the rate, too; without it: 0.05":
    "nur bei `adaptive`: Auch ein größerer Anteil von Fehlern senkt das Tempo; ohne Angabe: 0.05",
  "`adaptive` only: the time from one decision to the next; about a tenth of a visit; without it: 10s":
    "nur bei `adaptive`: die Zeit von einer Entscheidung zur nächsten; etwa ein Zehntel eines Besuchs; ohne Angabe: 10s",
  "`adaptive` only: a page that Usher asks for to measure the latency; without it: the site reports it (flow)":
    "nur bei `adaptive`: eine Seite, die Usher abruft, um die Antwortzeit zu messen; ohne Angabe: Die Website meldet sie",
  "the address of a page that does what is expensive; any answer but 200 to 299 is an error":
    "die Adresse einer Seite, die etwas Aufwendiges tut; jede Antwort außer 200 bis 299 ist ein Fehler",
  "Usher asks once or twice in this time, however many processes run":
    "in dieser Zeit fragt Usher ein- oder zweimal, egal wie viele Prozesse laufen",
  "a slower answer is an error": "eine langsamere Antwort ist ein Fehler",
  "this room's share of `shared_outflow` while others want theirs; without it: 1":
    "der Anteil dieses Raums an `shared_outflow`, solange andere ihren wollen; ohne Angabe: 1",
  "holds the line while the site is not well: any answer but 200 to 299 is a failure, a redirect too; for any type":
    "hält die Schlange an, solange es der Website nicht gut geht: Jede Antwort außer 200 bis 299 ist ein Fehlschlag, auch eine Weiterleitung; für jeden Typ",
  "the address that Usher asks; `http` is allowed to any host":
    "die Adresse, die Usher fragt; `http` ist für jeden Host erlaubt",
  "Usher asks once in this time, however many processes run":
    "in dieser Zeit fragt Usher einmal, egal wie viele Prozesse laufen",
  "a slower answer is a failure": "eine langsamere Antwort ist ein Fehlschlag",
  "this many failures in a row hold the line": "so viele Fehlschläge nacheinander halten die Schlange an",
  "this many successes in a row let it go on": "nach so vielen Erfolgen nacheinander geht es weiter",
  "when the room enters a phase by itself; before the first of these times it is idle, and without any of them it is open":
    "wann der Raum von selbst in eine Phase kommt; vor der ersten dieser Zeiten ist er vor der Schlange, und ohne alle Zeiten ist er offen",
  "arrivals are accepted from this time on, and nobody enters; needs `opens_at`":
    "ab dieser Zeit kann man sich anstellen, und niemand tritt ein; braucht `opens_at`",
  "visitors enter from this time on": "ab dieser Zeit treten Besucher ein",
  "nobody enters from this time on": "ab dieser Zeit tritt niemand mehr ein",
  "the zone of the local times in this room, such as `Europe/Berlin`":
    "die Zeitzone der Ortszeiten in diesem Raum, etwa `Europe/Berlin`",
  "the order of visitors who come in the prequeue": "die Reihenfolge derer, die vor der Öffnung kommen",
  "`random`: by a draw at the opening; `arrival`: as they come":
    "`random`: durch eine Auslosung bei der Öffnung; `arrival`: wie sie kommen",
  "`drand` mixes a public random number into the draw":
    "`drand` lässt eine öffentliche Zufallszahl in die Auslosung eingehen",
  "how long a visitor may stay logged in": "wie lange ein Besucher angemeldet bleiben kann",
  "how long one admission lasts": "wie lange ein Einlass dauert",
  "makes admissions sliding: each login and refresh extends one by `duration`, up to this since it began":
    "verlängert den Einlass mit jeder Anmeldung und Erneuerung um `duration`, bis zu dieser Dauer seit seinem Beginn",
  "how long a visitor whose turn has come may take to enter":
    "wie lange sich ein Besucher, der an der Reihe ist, mit dem Eintreten Zeit lassen kann",
  "the most logins with one admission, at all clients of the room together; raise it where admissions are long":
    "wie viele Anmeldungen mit einem Einlass höchstens möglich sind, bei allen Clients des Raums zusammen; erhöhen Sie es, wenn Einlässe lange dauern",
  "the most addresses (IPv4, or the /64 of IPv6) from which an admission may be used; phones change theirs on the way; behind a proxy it needs `listen.trusted_proxies`; without it: any number":
    "von wie vielen Adressen aus (IPv4, oder dem /64 bei IPv6) ein Einlass höchstens benutzt werden kann; Telefone wechseln ihre unterwegs; hinter einem Proxy braucht es `listen.trusted_proxies`; ohne Angabe: von beliebig vielen",
  "ends an admission as `abandoned` whose visitor no site has seen within this time: so nobody holds a slot of `max_active` without a visit; not where sites check tokens themselves":
    "beendet einen Einlass als `abandoned`, wenn in dieser Zeit keine Website den Besucher gesehen hat: So belegt niemand einen Platz von `max_active`, ohne die Website zu besuchen; nicht, wo Websites Tokens selbst prüfen",
  "the admission log": "das Einlassprotokoll",
  "how many rows are kept, the latest, about 72 bytes each in Redis; 0: there is no log":
    "wie viele Zeilen behalten werden, die neuesten, je etwa 72 Bytes in Redis; 0: Es gibt kein Protokoll",
  "the language of its pages for visitors who read none of those that there are; without it: `en`":
    "die Sprache der Seiten für Besucher, die keine der vorhandenen lesen; ohne Angabe: `en`",
  "where links to the room and forward authentication may lead: exact addresses, and ones that end in `/*` for everything below; queries are not compared; a link without a target leads to the first exact one":
    "wohin Links zum Raum und die Forward-Authentifizierung führen dürfen: genaue Adressen, und solche, die auf `/*` enden, für alles darunter; Abfrageteile werden nicht verglichen; ein Link ohne Ziel führt zur ersten genauen Adresse",
  "origins of sites and apps whose scripts may take places by the JSON API; requests without an origin may anyway":
    "Origins von Websites und Apps, deren Skripte über die JSON-API Plätze nehmen können; Anfragen ohne Origin können es immer",
  "which requests of a site queue, for forward authentication: the first rule that matches decides, and a request that none matches queues":
    "welche Anfragen an eine Website sich anstellen, für die Forward-Authentifizierung: die erste zutreffende Regel entscheidet, und eine Anfrage, auf die keine zutrifft, stellt sich an",
  "the signed tokens that links, forward authentication and the JSON API hand out":
    "die signierten Tokens, die Links, Forward-Authentifizierung und JSON-API ausgeben",
  "the claim `aud`; it is no `client_id`; without it: `ISSUER/rooms/ROOM`":
    "der Claim `aud`; er ist keine `client_id`; ohne Angabe: `ISSUER/rooms/ROOM`",
  "how long a token is valid; it is renewed while the admission lasts":
    "wie lange ein Token gilt; es wird erneuert, solange der Einlass dauert",
  "forward authentication": "Forward-Authentifizierung",
  "paths that forward authentication always lets through: exact, or all below one that ends in `/*`":
    "Pfade, die die Forward-Authentifizierung immer durchlässt: genaue, oder alle unter einem, der auf `/*` endet",
  "the domain whose hosts share the cookie of forward authentication; all `targets` have to be within it; without it: each host has its own":
    "die Domain, deren Hosts sich das Cookie der Forward-Authentifizierung teilen; alle `targets` müssen darin liegen; ohne Angabe: Jeder Host hat sein eigenes",
};

/** What a setting or a group of them means. @param path of one in the table of settings */
export function meaningOf(path: string): Localized {
  const english = meanings[path as Path];
  return { en: english, de: german[english] };
}
