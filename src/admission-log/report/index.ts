/** What a log says of an event: gathered row by row, reckoned up, and told as JSON and as a page. Called by cli/. */
export { GatheredLog } from "./gathered.ts";
export { reportHtml } from "./html.ts";
export { reportJson } from "./json.ts";
export { createReport, type FairnessReport } from "./model.ts";
