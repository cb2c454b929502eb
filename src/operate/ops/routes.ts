import { z } from "zod";
import { createRouteTable, type RouteTable } from "../../web/middleware/router.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

const faults = z.array(z.string());
const warnings = { warnings: faults.optional() };

/** What orchestrators and monitoring ask, and what the operators' programs go by. */
export function opsRoutes({
  description,
  readiness,
  metrics,
}: {
  /** The description of the HTTP interface, in JSON. */
  readonly description: () => Promise<Buffer>;
  readonly readiness: Readiness;
  readonly metrics: Pick<Metrics, "contentType" | "render">;
}): RouteTable {
  const table = createRouteTable();
  table.add(
    "Operation",
    "GET",
    "/readyz",
    () => ({
      summary: "Says whether the process can serve, and why not.",
      answers: [
        { status: 200, schema: z.object({ status: z.literal("ok"), ...warnings }), description: "It can." },
        {
          status: 503,
          schema: z.object({ status: z.literal("not_ready"), faults, ...warnings }),
          description: "It cannot.",
        },
      ],
    }),
    async (ctx) => {
      const found = await readiness();
      ctx.status = found.faults.length === 0 ? 200 : 503;
      ctx.body = {
        ...(found.faults.length === 0 ? { status: "ok" } : { status: "not_ready", faults: found.faults }),
        ...(found.warnings.length > 0 && { warnings: found.warnings }),
      };
    },
  );
  table.add(
    "Operation",
    "GET",
    "/metrics",
    () => ({
      summary: "Shows metrics for Prometheus.",
      answers: [{ status: 200, types: ["text/plain"], description: "Metrics." }],
    }),
    async (ctx) => {
      ctx.set("Content-Type", metrics.contentType);
      ctx.body = await metrics.render();
    },
  );
  table.add(
    "Operation",
    "GET",
    "/openapi.json",
    () => ({
      summary: "Shows this description.",
      answers: [{ status: 200, schema: z.looseObject({ openapi: z.string() }), description: "OpenAPI 3.1." }],
    }),
    async (ctx) => {
      ctx.set("Cache-Control", "no-cache");
      ctx.type = "json";
      ctx.body = await description();
    },
  );
  return table;
}
