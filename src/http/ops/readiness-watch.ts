import type { Logger } from "../../lib/logger.ts";
import type { Readiness } from "./readiness.ts";

export interface ReadinessWatch {
  start(): void;
  stop(): void;
}

const everyMs = 10_000;

/** Looks at the process's readiness by itself, and says what has come and gone since: not everybody asks `/readyz`. */
export function watchReadiness(readiness: Readiness, logger: Logger): ReadinessWatch & { look(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let reported: readonly string[] = [];
  const look = async () => {
    try {
      const { faults, warnings } = await readiness();
      if (isStopped) return;
      const isNews = (text: string) => !reported.includes(text);
      for (const fault of faults.filter(isNews)) logger.error({ event: "gateway.not_ready" }, fault);
      for (const warning of warnings.filter(isNews)) logger.warn({ event: "gateway.warning" }, warning);
      const left = [...faults, ...warnings];
      if (reported.length > 0 && left.length === 0)
        logger.info({ event: "gateway.ready" }, "nothing is wrong any more");
      reported = left;
    } catch (error) {
      logger.error({ event: "gateway.not_ready", err: error }, "the readiness of this process could not be found out");
    }
  };
  const run = () => {
    void look().then(() => {
      if (!isStopped) timer = setTimeout(run, everyMs).unref();
    });
  };
  return {
    look,
    start: run,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
