import type Router from "@koa/router";
import { createRouter } from "../../web/middleware/router.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

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
}): Router {
  const router = createRouter();

  router.get("/readyz", async (ctx) => {
    const { faults, warnings } = await readiness();
    ctx.status = faults.length === 0 ? 200 : 503;
    ctx.body = {
      ...(faults.length === 0 ? { status: "ok" } : { status: "not_ready", faults }),
      ...(warnings.length > 0 && { warnings }),
    };
  });

  router.get("/metrics", async (ctx) => {
    ctx.set("Content-Type", metrics.contentType);
    ctx.body = await metrics.render();
  });

  router.get("/openapi.json", async (ctx) => {
    ctx.set("Cache-Control", "no-cache");
    ctx.type = "json";
    ctx.body = await description();
  });

  return router;
}
