import { type AdminRoutesOptions, adminRoutes } from "./admin/routes.ts";
import type { Routes } from "./middleware/router.ts";
import { type OpsRoutesOptions, opsRoutes } from "./ops/routes.ts";

export interface OperatorsRoutesOptions extends OpsRoutesOptions {
  readonly admin: AdminRoutesOptions;
}

/** All that is for operators and their programs: on a listener of its own (`admin.listen`), or else beside the rest. */
export function operatorsRoutes({ admin, ...ops }: OperatorsRoutesOptions): readonly Routes[] {
  return [adminRoutes(admin).routes(), opsRoutes(ops).routes()];
}
