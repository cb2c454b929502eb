import type { Role } from "../api/api.ts";

const order: readonly Role[] = ["viewer", "box_office", "operator", "admin"];

/** Whether somebody with a role may do what takes another: what they may not do is not shown. */
export function mayDo(role: Role, needed: Role): boolean {
  return order.indexOf(role) >= order.indexOf(needed);
}
