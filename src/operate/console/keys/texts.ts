import type { LocalizedTexts } from "../frame/speech.ts";

export const texts = {
  admin: {
    title: { en: "Admin keys", de: "Admin-Schlüssel" },
    what: {
      en: "They let operators and scripts in. Keys of the configuration file are changed there.",
      de: "Mit ihnen kommen Personen und Skripte herein. Schlüssel der Konfigurationsdatei werden dort geändert.",
    },
    none: { en: "There is no admin key.", de: "Es gibt keinen Admin-Schlüssel." },
    newKey: { en: "New admin key", de: "Neuer Admin-Schlüssel" },
    create: { en: "Make the admin key", de: "Admin-Schlüssel erstellen" },
    name: { en: "Name", de: "Name" },
    nameHint: {
      en: "Letters, digits and _.- such as ticket-desk. Left empty, Usher makes one.",
      de: "Buchstaben, Ziffern und _.- wie in ticket-desk. Ohne Angabe wählt Usher einen.",
    },
    roleHint: {
      en: "Each role may do all that the one above it may.",
      de: "Jede Rolle darf alles, was die darüber darf.",
    },
    roomsHint: {
      en: "None ticked: all rooms, also those to come.",
      de: "Keiner angekreuzt: alle Räume, auch künftige.",
    },
    expires: { en: "Expires", de: "Läuft ab" },
    expiresHint: {
      en: "By the clock of this computer. Left empty, it has no end.",
      de: "Nach der Uhr dieses Computers. Ohne Angabe nie.",
    },
    fromFile: { en: "from the configuration file", de: "aus der Konfigurationsdatei" },
    statuses: {
      active: { en: "in force", de: "in Kraft" },
      expired: { en: "expired", de: "abgelaufen" },
      shadowed: {
        en: "not in force: the configuration file has a key of this name",
        de: "nicht in Kraft: Die Konfigurationsdatei hat einen Schlüssel dieses Namens",
      },
    },
    secret: { en: "The secret of {id}", de: "Das Geheimnis von {id}" },
    secretNote: {
      en: "Hand it to whoever is to use the key. It is what they sign in with.",
      de: "Geben Sie es dem, der den Schlüssel benutzen soll. Damit meldet man sich an.",
    },
    newSecret: { en: "New secret of {id}", de: "Neues Geheimnis von {id}" },
    revoke: { en: "Revoke", de: "Widerrufen" },
    revokeKey: { en: "Revoke {id}", de: "{id} widerrufen" },
    revokeWarning: {
      en: "It is refused from then on, and whoever is signed in with it is signed out.",
      de: "Er wird von da an abgelehnt, und wer damit angemeldet ist, wird abgemeldet.",
    },
    revokeOwnWarning: {
      en: "You are signed in with this key: it is refused from then on, and you are signed out.",
      de: "Sie sind mit diesem Schlüssel angemeldet: Er wird von da an abgelehnt, und Sie werden abgemeldet.",
    },
  },
  signing: {
    title: { en: "Usher's own keys", de: "Ushers eigene Schlüssel" },
    what: {
      en: "Usher signs with them. A key is made, made known (staged), signs (active), is still verified with (retiring), and then retired: in that order nobody loses a place or a login.",
      de: "Mit ihnen signiert Usher. Ein Schlüssel wird erstellt, bekannt gemacht, signiert (aktiv), wird noch geprüft (läuft aus) und dann gelöscht: In dieser Reihenfolge verliert niemand einen Platz oder eine Anmeldung.",
    },
    none: { en: "There is no key.", de: "Es gibt keinen Schlüssel." },
    retired: { en: "Retired keys: {n}", de: "Gelöschte Schlüssel: {n}" },
    newKey: { en: "New key", de: "Neuer Schlüssel" },
    create: { en: "Make the key", de: "Schlüssel erstellen" },
    key: { en: "Key", de: "Schlüssel" },
    issuer: { en: "Issuer", de: "Issuer" },
    purpose: { en: "Signs", de: "Signiert" },
    purposes: {
      signing: { en: "ID tokens and admission tokens", de: "ID-Tokens und Einlass-Tokens" },
      tickets: { en: "places in line", de: "Plätze in der Schlange" },
      cookies: { en: "cookies of visitors", de: "Cookies der Besucher" },
      draw: { en: "draws", de: "Verlosungen" },
    },
    alg: { en: "Algorithm", de: "Algorithmus" },
    state: { en: "State", de: "Zustand" },
    states: {
      new: { en: "new", de: "neu" },
      staged: { en: "staged", de: "bekannt gemacht" },
      active: { en: "active", de: "aktiv" },
      retiring: { en: "retiring", de: "läuft aus" },
      retired: { en: "retired", de: "gelöscht" },
    },
    age: { en: "Age", de: "Alter" },
    sources: {
      configuration: { en: "configuration", de: "Konfiguration" },
      admin_api: { en: "made at run time", de: "im Betrieb erstellt" },
      automatic: { en: "made by Usher for a client", de: "von Usher für einen Client erstellt" },
    },
    next: { en: "What happens next", de: "Was als Nächstes kommt" },
    nextByState: {
      new: {
        en: "Nothing knows it yet. Staging makes it known.",
        de: "Noch kennt ihn niemand. Bekannt machen veröffentlicht ihn.",
      },
      staged: { en: "It is known, and may sign.", de: "Er ist bekannt und darf signieren." },
      active: { en: "It signs, until another one is promoted.", de: "Er signiert, bis ein anderer ihn ablöst." },
      retiring: {
        en: "It signs no more, and is still verified with.",
        de: "Er signiert nicht mehr und wird noch geprüft.",
      },
      retired: { en: "It is worth nothing.", de: "Er ist nichts mehr wert." },
    },
    nextAt: {
      promote: {
        en: "It is becoming known. It may sign from {time}.",
        de: "Er wird gerade bekannt. Ab {time} darf er signieren.",
      },
      retire: {
        en: "What it has signed lapses. It may be retired from {time}.",
        de: "Was er signiert hat, verfällt. Ab {time} darf er gelöscht werden.",
      },
    },
    nextNow: {
      promote: { en: "It is known, and may sign now.", de: "Er ist bekannt und darf jetzt signieren." },
      retire: {
        en: "All that it has signed has lapsed: it may be retired.",
        de: "Alles, was er signiert hat, ist verfallen: Er darf gelöscht werden.",
      },
    },
    missing: {
      en: "The process that answered does not have this key.",
      de: "Der Prozess, der geantwortet hat, hat diesen Schlüssel nicht.",
    },
    steps: {
      stage: { en: "Stage", de: "Bekannt machen" },
      promote: { en: "Promote", de: "Signieren lassen" },
      retire: { en: "Retire", de: "Löschen" },
    },
    stepsOfKey: {
      stage: { en: "Stage {kid}", de: "{kid} bekannt machen" },
      promote: { en: "Promote {kid}", de: "{kid} signieren lassen" },
      retire: { en: "Retire {kid}", de: "{kid} löschen" },
    },
    warnings: {
      stage: {
        en: "It is published, and everybody can get to know it. It signs nothing yet, and all that is out stays good.",
        de: "Er wird veröffentlicht, und alle können ihn kennenlernen. Noch signiert er nichts, und was ausgegeben ist, bleibt gültig.",
      },
      promote: {
        en: "It signs from now on. What the key before has signed stays good: that one is still verified with until it is retired.",
        de: "Von jetzt an signiert er. Was der bisherige signiert hat, bleibt gültig: Er wird noch geprüft, bis er gelöscht wird.",
      },
      promoteEarly: {
        en: "It is too early: not everybody knows this key yet. Sites that do not will refuse new logins until they have read the keys again. Do this where the key before has leaked.",
        de: "Es ist zu früh: Noch kennen nicht alle diesen Schlüssel. Websites, die ihn nicht kennen, lehnen neue Anmeldungen ab, bis sie die Schlüssel neu gelesen haben. Tun Sie das, wenn der bisherige bekannt geworden ist.",
      },
      retire: {
        en: "The key is deleted. All that it has signed has lapsed, so nobody loses anything.",
        de: "Der Schlüssel wird gelöscht. Alles, was er signiert hat, ist verfallen; niemand verliert etwas.",
      },
      retireUnused: {
        en: "The key is deleted. It signs nothing at present, so nobody loses anything.",
        de: "Der Schlüssel wird gelöscht. Er signiert zurzeit nichts; niemand verliert etwas.",
      },
    },
    earlyRetirement: {
      signing: {
        en: "It is too early: tokens that it has signed are still in use, and are refused from now on. Do this where the key has leaked.",
        de: "Es ist zu früh: Tokens, die er signiert hat, sind noch in Gebrauch und werden von jetzt an abgelehnt. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
      },
      tickets: {
        en: "It is too early: whoever waits with a place that it has signed loses it, and may join again at the end of the line. Do this where the key has leaked.",
        de: "Es ist zu früh: Wer mit einem Platz wartet, den er signiert hat, verliert ihn und kann sich hinten neu anstellen. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
      },
      cookies: {
        en: "It is too early: visitors who are logged in by it have to log in again; their admissions are still there. Do this where the key has leaked.",
        de: "Es ist zu früh: Besucher, die damit angemeldet sind, müssen sich neu anmelden; ihr Einlass bleibt. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
      },
      draw: {
        en: "It is too early: a draw that is committed to with it can no longer be drawn, and no receipts of earlier ones are signed. Do this where the key has leaked.",
        de: "Es ist zu früh: Eine Verlosung, die mit ihm zugesagt ist, kann nicht mehr gezogen werden, und für frühere werden keine Belege mehr signiert. Tun Sie das, wenn der Schlüssel bekannt geworden ist.",
      },
    },
  },
} satisfies LocalizedTexts;
