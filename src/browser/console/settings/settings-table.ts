/** Written by `npm run reference` from the schema of a room and docs/configuration.md. Change those. */
import type { SettingsGroup } from "./setting.ts";

export const settingsTable: readonly SettingsGroup[] = [
  { ...{"name":"","meaning":"","isOfDocument":false}, settings: [
    {"path":"title","meaning":"the name that visitors read; without it: the id","allowed":{"kind":"text","lengthMax":200}},
    {"path":"when_idle","meaning":"what the room shows before it opens: a page, the site itself without limit, or another page to which visitors are sent; without it: `page`","allowed":{"kind":"redirect","choices":["page","pass_through"]}},
    {"path":"when_ended","meaning":"what the room shows after its end: as `when_idle`; without it: `page`","allowed":{"kind":"redirect","choices":["page","pass_through"]}},
    {"path":"links","meaning":"where a visitor may go on who finds nothing to wait for, in this order","allowed":{"kind":"links","itemsMax":6}},
    {"path":"next_sale","meaning":"what is sold next; shown where nothing is left to wait for, and for calendars","allowed":{"kind":"mapping","members":[{"path":"next_sale.title","meaning":"what it is called; one text, or one for each language","allowed":{"kind":"words"}},{"path":"next_sale.starts_at","meaning":"when it begins; after that it is shown as one of `links`","allowed":{"kind":"time"}},{"path":"next_sale.url","meaning":"its page: https (http for localhost only)","allowed":{"kind":"text","lengthMax":2048}}]}},
    {"path":"while_waiting","meaning":"what visitors may read while they wait, in Markdown: at most 3,000 characters, 15,000 in all languages together; one text, or one for each language; in place of that of the theme; `off`: none; without it: that of the theme","allowed":{"kind":"markdown"}},
    {"path":"max_waiting","meaning":"the most visitors who may wait; further ones get no place","allowed":{"kind":"whole","minimum":0,"maximum":1000000000}},
    {"path":"stock","meaning":"the number that is left to sell, which the shop tells","allowed":{"kind":"mapping","members":[{"path":"stock.show","meaning":"what the pages say of it: `nothing`; `warning`: that it may be sold out before it is the visitor's turn; `number`: how many are left, besides","allowed":{"kind":"choice","choices":["nothing","warning","number"]}},{"path":"stock.per_visitor","meaning":"how many a visitor buys on average: by that visitors are warned","allowed":{"kind":"number","minimum":0.01,"maximum":1000}},{"path":"stock.returns","meaning":"once everything is sold: `true` holds the line while visitors may wait for what is returned, `false` ends it; a message may say otherwise","allowed":{"kind":"flag"}}]}},
    {"path":"admission_events","meaning":"whether each admission and its end is an event","allowed":{"kind":"flag"}},
    {"path":"rehearsal","meaning":"whether the room is for rehearsals: all its pages say \"This is a rehearsal. Nothing is sold here.\"","allowed":{"kind":"flag"}},
    {"path":"push","meaning":"whether visitors may have themselves notified by Web Push though their phone sleeps; Usher then speaks to the push services of browsers","allowed":{"kind":"flag"}},
    {"path":"show_people","meaning":"whether visitors before the doors read how many have an entry number; where places are drawn, they always read how many take part","allowed":{"kind":"flag"}},
    {"path":"moves","meaning":"how often a place may be moved to another browser: `once`, and places that are to be drawn not at all, so that neither goes from hand to hand for money; `never`; `unlimited`; without it: `once`","allowed":{"kind":"choice","choices":["never","once","unlimited"]}},
    {"path":"when_away","meaning":"while the store is away: `hold`, nobody enters; `let_in`, after ten seconds each process lets visitors in by itself, at the last known pace; without it: `hold`","allowed":{"kind":"choice","choices":["hold","let_in"]}},
    {"path":"joins_per_address","meaning":"how many may take a place from one address (IPv4, or the /64 of IPv6; a /56 has four times as many, a /48 eight times), at each process; a further visitor gets a page that tries again by itself; `off`: any number. A mobile carrier or a university has thousands behind one address. Behind a proxy it needs `listen.trusted_proxies`. This machine's own addresses are not counted","allowed":{"kind":"mapping","members":[{"path":"joins_per_address.per_minute","meaning":"places for each minute","allowed":{"kind":"whole","minimum":1,"maximum":1000000}},{"path":"joins_per_address.burst","meaning":"places that may be taken at once; without it: twice `per_minute`","allowed":{"kind":"whole","minimum":1,"maximum":10000000}},{"path":"joins_per_address.prequeue","meaning":"places of one address in all, while entries of a draw are given (a /56 has four times as many, a /48 eight times), at each process; `off`: no such bound. Addresses of private networks are not counted so; without it: `10`","allowed":{"kind":"wholeOrOff","minimum":1,"maximum":1000000}},{"path":"joins_per_address.ranges","meaning":"ranges of addresses with limits of their own, such as a school's or a carrier's; the first that has the address counts","allowed":{"kind":"ranges"}}]}},
    {"path":"waiting_status","meaning":"the HTTP status of the waiting page, by which programs, crawlers and CDNs tell it from the site","allowed":{"kind":"choice","choices":[200,202,429]}},
  ] },
  { ...{"name":"inlet","meaning":"what moves the line","isOfDocument":false}, settings: [
    {"path":"inlet.type","meaning":"`manual`: an operator moves the line; `periodic`: it moves by itself, at the outflow; `max_active`: it moves by itself, so that at most so many are in at the same time; `adaptive`: it moves by itself, at a rate that keeps the site at a latency","allowed":{"kind":"choice","choices":["manual","periodic","max_active","adaptive"]}},
    {"path":"inlet.outflow_per_minute","meaning":"admissions in any 60 seconds never exceed it; `periodic` needs it or `shared_outflow`, `adaptive` needs it","allowed":{"kind":"whole","minimum":1,"maximum":1000000}},
    {"path":"inlet.starts_at","meaning":"`periodic` and `adaptive` only: the line moves from this time on; places are handed out before, too","allowed":{"kind":"time"}},
    {"path":"inlet.ends_at","meaning":"`periodic` and `adaptive` only: the line moves until this time; places are handed out after, too","allowed":{"kind":"time"}},
    {"path":"inlet.max_active","meaning":"`max_active` only, and required there: how many may be in at the same time","allowed":{"kind":"whole","minimum":1,"maximum":10000000}},
    {"path":"inlet.floor_per_minute","meaning":"`adaptive` only: the least that the rate comes down to; without it: a hundredth of `outflow_per_minute`","allowed":{"kind":"whole","minimum":1,"maximum":1000000}},
    {"path":"inlet.start_per_minute","meaning":"`adaptive` only: the rate that it begins with; without it: a tenth of `outflow_per_minute`","allowed":{"kind":"whole","minimum":1,"maximum":1000000}},
    {"path":"inlet.step_per_minute","meaning":"`adaptive` only: the most that one decision adds; without it: a fiftieth of `outflow_per_minute`","allowed":{"kind":"whole","minimum":1,"maximum":1000000}},
    {"path":"inlet.latency_ms","meaning":"`adaptive` only: the target, in milliseconds","allowed":{"kind":"number","minimum":1,"maximum":600000}},
    {"path":"inlet.times_baseline","meaning":"`adaptive` only: the target, as a multiple of what the site takes under little load; of both the lower; without it: 3, or none where there is a `latency_ms`","allowed":{"kind":"number","minimum":1.2,"maximum":100}},
    {"path":"inlet.error_rate","meaning":"`adaptive` only: a greater fraction of errors lowers the rate, too; without it: 0.05","allowed":{"kind":"number","minimum":0,"maximum":1}},
    {"path":"inlet.decide_every","meaning":"`adaptive` only: the time from one decision to the next; about a tenth of a visit; without it: 10s","allowed":{"kind":"duration","range":"1s to 5m"}},
    {"path":"inlet.probe","meaning":"`adaptive` only: a page that Usher asks for to measure the latency; without it: the site reports it (flow)","allowed":{"kind":"mapping","members":[{"path":"inlet.probe.url","meaning":"the address of a page that does what is expensive; any answer but 200 to 299 is an error","allowed":{"kind":"text","lengthMax":2048}},{"path":"inlet.probe.interval","meaning":"Usher asks once or twice in this time, however many processes run","allowed":{"kind":"duration","range":"200ms to 5m"}},{"path":"inlet.probe.timeout","meaning":"a slower answer is an error","allowed":{"kind":"duration","range":"100ms to 1m"}}]}},
    {"path":"inlet.weight","meaning":"this room's share of `shared_outflow` while others want theirs; without it: 1","allowed":{"kind":"whole","minimum":1,"maximum":1000}},
    {"path":"inlet.gate","meaning":"holds the line while the site is not well: any answer but 200 to 299 is a failure, a redirect too; for any type","allowed":{"kind":"mapping","members":[{"path":"inlet.gate.health_url","meaning":"the address that Usher asks; `http` is allowed to any host","allowed":{"kind":"text","lengthMax":2048}},{"path":"inlet.gate.interval","meaning":"Usher asks once in this time, however many processes run","allowed":{"kind":"duration","range":"1s to 5m"}},{"path":"inlet.gate.timeout","meaning":"a slower answer is a failure","allowed":{"kind":"duration","range":"100ms to 30s"}},{"path":"inlet.gate.unhealthy_after","meaning":"this many failures in a row hold the line","allowed":{"kind":"whole","minimum":1,"maximum":100}},{"path":"inlet.gate.healthy_after","meaning":"this many successes in a row let it go on","allowed":{"kind":"whole","minimum":1,"maximum":100}}]}},
  ] },
  { ...{"name":"schedule","meaning":"when the room enters a phase by itself; before the first of these times it is idle, and without any of them it is open","isOfDocument":false}, settings: [
    {"path":"schedule.prequeue_at","meaning":"arrivals are accepted from this time on, and nobody enters; needs `opens_at`","allowed":{"kind":"time"}},
    {"path":"schedule.opens_at","meaning":"visitors enter from this time on","allowed":{"kind":"time"}},
    {"path":"schedule.ends_at","meaning":"nobody enters from this time on","allowed":{"kind":"time"}},
    {"path":"schedule.time_zone","meaning":"the zone of the local times in this room, such as `Europe/Berlin`","allowed":{"kind":"zone"}},
  ] },
  { ...{"name":"draw","meaning":"the order of visitors who come in the prequeue","isOfDocument":false}, settings: [
    {"path":"draw.order","meaning":"`random`: by a draw at the opening; `arrival`: as they come","allowed":{"kind":"choice","choices":["random","arrival"]}},
    {"path":"draw.beacon","meaning":"`drand` mixes a public random number into the draw","allowed":{"kind":"choice","choices":["none","drand"]}},
  ] },
  { ...{"name":"admission","meaning":"how long a visitor may stay logged in","isOfDocument":false}, settings: [
    {"path":"admission.duration","meaning":"how long one admission lasts","allowed":{"kind":"duration","range":"1s to 7d"}},
    {"path":"admission.max_duration","meaning":"makes admissions sliding: each login and refresh extends one by `duration`, up to this since it began","allowed":{"kind":"duration","range":"1s to 30d"}},
    {"path":"admission.claim_within","meaning":"how long a visitor whose turn has come may take to enter","allowed":{"kind":"duration","range":"1s to 1d"}},
    {"path":"admission.logins_per_admission","meaning":"the most logins with one admission, at all clients of the room together; raise it where admissions are long","allowed":{"kind":"whole","minimum":1,"maximum":1000}},
    {"path":"admission.addresses_per_admission","meaning":"the most addresses (IPv4, or the /64 of IPv6) from which an admission may be used; phones change theirs on the way; behind a proxy it needs `listen.trusted_proxies`; without it: any number","allowed":{"kind":"whole","minimum":1,"maximum":100}},
    {"path":"admission.first_visit_within","meaning":"ends an admission as `abandoned` whose visitor no site has seen within this time: so nobody holds a slot of `max_active` without a visit; not where sites check tokens themselves","allowed":{"kind":"duration","range":"10s to 1d"}},
  ] },
  { ...{"name":"admission_log","meaning":"the admission log","isOfDocument":false}, settings: [
    {"path":"admission_log.max_entries","meaning":"how many rows are kept, the latest, about 72 bytes each in Redis; 0: there is no log","allowed":{"kind":"whole","minimum":0,"maximum":10000000}},
  ] },
  { ...{"name":"","meaning":"","isOfDocument":true}, settings: [
    {"path":"language","meaning":"the language of its pages for visitors who read none of those that there are; without it: `en`","allowed":{"kind":"text","lengthMax":2048}},
    {"path":"targets","meaning":"where links to the room and forward authentication may lead: exact addresses, and ones that end in `/*` for everything below; queries are not compared; a link without a target leads to the first exact one","allowed":{"kind":"list","itemsMax":1000}},
    {"path":"allowed_origins","meaning":"origins of sites and apps whose scripts may take places by the JSON API; requests without an origin may anyway","allowed":{"kind":"list","itemsMax":1000}},
  ] },
  { ...{"name":"admission_token","meaning":"the signed tokens that links, forward authentication and the JSON API hand out","isOfDocument":true}, settings: [
    {"path":"admission_token.audience","meaning":"the claim `aud`; it is no `client_id`; without it: `ISSUER/rooms/ROOM`","allowed":{"kind":"text","lengthMax":255}},
    {"path":"admission_token.validity","meaning":"how long a token is valid; it is renewed while the admission lasts","allowed":{"kind":"duration","range":"1s to 1d"}},
  ] },
  { ...{"name":"verify","meaning":"forward authentication","isOfDocument":true}, settings: [
    {"path":"verify.exempt","meaning":"paths that forward authentication always lets through: exact, or all below one that ends in `/*`","allowed":{"kind":"list","itemsMax":1000}},
    {"path":"verify.cookie_domain","meaning":"the domain whose hosts share the cookie of forward authentication; all `targets` have to be within it; without it: each host has its own","allowed":{"kind":"text","lengthMax":2048}},
  ] },
];
