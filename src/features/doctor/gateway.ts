import { featureModule } from "../../operate/feature.ts";
import { checksRoutes } from "./admin-routes.ts";
import { startDoctor } from "./room-checks.ts";

/** What a gateway has of the doctor: checks of its rooms, and what the last ones found. */
export const doctorInGateway = featureModule({ start: startDoctor, adminRoutes: checksRoutes });
