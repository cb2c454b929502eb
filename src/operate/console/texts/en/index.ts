import after from "./after.json" with { type: "json" };
import before from "./before.json" with { type: "json" };
import charts from "./charts.json" with { type: "json" };
import clients from "./clients.json" with { type: "json" };
import desk from "./desk.json" with { type: "json" };
import entries from "./entries.json" with { type: "json" };
import frame from "./frame.json" with { type: "json" };
import health from "./health.json" with { type: "json" };
import keys from "./keys.json" with { type: "json" };
import message from "./message.json" with { type: "json" };
import parts from "./parts.json" with { type: "json" };
import people from "./people.json" with { type: "json" };
import room from "./room.json" with { type: "json" };
import rooms from "./rooms.json" with { type: "json" };
import settings from "./settings.json" with { type: "json" };
import team from "./team.json" with { type: "json" };
import themes from "./themes.json" with { type: "json" };
import timeline from "./timeline.json" with { type: "json" };

export const en = {
  ...after,
  ...before,
  ...entries,
  ...frame,
  ...rooms,
  ...room,
  ...message,
  ...desk,
  ...charts,
  ...parts,
  ...team,
  ...timeline,
  ...settings,
  ...clients,
  ...keys,
  ...people,
  ...themes,
  ...health,
};
