/** What a primary and its workers tell each other. */
import type { Registry } from "prom-client";

/** The metrics of one process. */
export type Report = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

/** Where the gateway listens, and the like: for the log. */
export type Started = Readonly<Record<string, unknown>>;

export type FromWorker =
  /** It listens. */
  | { readonly kind: "started"; readonly fields: Started }
  /** Its own `/readyz` is 200 for the first time. */
  | { readonly kind: "ready" }
  /** Its metrics, as they were asked for. */
  | { readonly kind: "report"; readonly id: number; readonly report: Report }
  /** Somebody asks it for the metrics of all. */
  | { readonly kind: "sum"; readonly id: number }
  /** It ends, and these are its last metrics. */
  | { readonly kind: "leaves"; readonly report: Report };

export type FromPrimary =
  | { readonly kind: "report"; readonly id: number }
  | { readonly kind: "sum"; readonly id: number; readonly text: string }
  /** Another has taken its place: it ends as on SIGTERM, and is ready until it does. */
  | { readonly kind: "retire" };
