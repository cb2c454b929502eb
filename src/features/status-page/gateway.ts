import { settingsOf } from "../../config/index.ts";
import { featureModule, type Gateway } from "../../operate/feature.ts";
import { logRegistryEvent } from "../../operate/index.ts";
import { incidentRoutes } from "./admin-routes.ts";
import { createIncidents, incidentsName } from "./incidents.ts";
import { statusPageSettings } from "./settings.ts";
import { statusPageRoutes } from "./visitor-routes.ts";

const off = { enabled: false, rooms: null };

/** The incidents of an installation, and the pages that show them. */
export const statusPageInGateway = featureModule({
  start({ config, rooms, pages, store, fileOf, clock, random, logger }: Gateway) {
    const incidents = createIncidents({
      documents: store.documents,
      file: fileOf(incidentsName),
      clock,
      random,
      report: (event) => logRegistryEvent(event, logger),
    });
    /** By issuer. */
    const settings = Object.fromEntries(
      config.issuers.map((issuer) => [issuer.issuer, settingsOf(issuer, statusPageSettings)]),
    );
    return { registries: [incidents.registry], incidents, rooms, pages, settings };
  },
  adminRoutes: incidentRoutes,
  visitorRoutes({ incidents, pages, settings }, { issuer, rooms, theme, usualLanguage: language, clock }) {
    const { enabled, rooms: named } = settings[issuer] ?? off;
    const status = { enabled, rooms: named, theme, language };
    return statusPageRoutes({ issuer, rooms, incidents, pages, status, clock });
  },
});
