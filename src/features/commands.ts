import type { FeatureCommand } from "../operate/commands/index.ts";
import { addExportCommand } from "./backup/export-command.ts";
import { addImportCommand } from "./backup/import-command.ts";
import { addDoctorCommand } from "./doctor/commands.ts";
import { addInitCommand } from "./init/commands.ts";
import { addInviteCommand } from "./invitations/commands.ts";
import { addMigrateCommand } from "./migrate/commands.ts";
import { addPlanCommand } from "./plan/commands.ts";
import { addPreviewCommand } from "./preview/commands.ts";
import { addQueueItCommand } from "./queue-it-home/commands.ts";
import { addRehearseCommand } from "./rehearsal/commands.ts";
import { addReportCommand } from "./report/commands.ts";
import { addRulesCommand } from "./rules/commands.ts";
import { addSnippetCommand } from "./snippets/commands.ts";
import { addIncidentsCommand } from "./status-page/commands.ts";
import { addVerifyDrawCommand } from "./verify-draw/commands.ts";
import { addWebhooksCommand } from "./webhooks/commands.ts";

/** The commands of features, a line each. Those of one part of the help stand in this order. */
export const featureCommands: readonly FeatureCommand[] = [
  { part: "first", add: addPreviewCommand },
  { part: "first", add: addInitCommand },
  { part: "first", add: addMigrateCommand },
  { part: "before a sale", add: addDoctorCommand },
  { part: "before a sale", add: addPlanCommand },
  { part: "before a sale", add: addRehearseCommand },
  { part: "before a sale", add: addSnippetCommand },
  { part: "before a sale", add: addRulesCommand },
  { part: "before a sale", add: addInviteCommand },
  { part: "before a sale", add: addQueueItCommand },
  { part: "registered", add: addIncidentsCommand },
  { part: "registered", add: addWebhooksCommand },
  { part: "recorded", add: addExportCommand },
  { part: "recorded", add: addImportCommand },
  { part: "from outside", add: addReportCommand },
  { part: "from outside", add: addVerifyDrawCommand },
];
