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

/** The commands of features, a line each. Those of one group of the help stand in this order. */
export const featureCommands: readonly FeatureCommand[] = [
  { group: "start", add: addInitCommand },
  { group: "start", add: addPreviewCommand },
  { group: "start", add: addMigrateCommand },
  { group: "run", add: addIncidentsCommand },
  { group: "set up", add: addSnippetCommand },
  { group: "set up", add: addInviteCommand },
  { group: "set up", add: addQueueItCommand },
  { group: "set up", add: addWebhooksCommand },
  { group: "set up", add: addExportCommand },
  { group: "set up", add: addImportCommand },
  { group: "check", add: addDoctorCommand },
  { group: "check", add: addPlanCommand },
  { group: "check", add: addRehearseCommand },
  { group: "check", add: addRulesCommand },
  { group: "check", add: addReportCommand },
  { group: "check", add: addVerifyDrawCommand },
];
