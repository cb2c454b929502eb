import { featureModule } from "../../operate/feature.ts";
import { rehearsalParts, rehearsalRoutes } from "./admin-routes.ts";

/** What a gateway has for rehearsals: passes for their visitors, and the result of the last one of each room. */
export const rehearsalInGateway = featureModule({ start: rehearsalParts, adminRoutes: rehearsalRoutes });
