/** The report on an event from its log: figures gathered row by row, as JSON and as a page. Called by cli/. */
export { GatheredLog } from "./gathered.ts";
export { reportHtml } from "./html.ts";
export { reportJson } from "./json.ts";
export { createReport, type FairnessReport } from "./model.ts";
