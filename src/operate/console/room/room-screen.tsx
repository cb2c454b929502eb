import { Charts } from "../charts/charts.tsx";
import { mayDo, pathOf, useConsole } from "../frame/console.ts";
import type { Figures, LiveRoom } from "../frame/live.ts";
import { freshnessOfRoom, isStale } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { RecentBar, useActions } from "../parts/actions.tsx";
import { ProblemNote, Title } from "../parts/elements.tsx";
import { Attentions } from "../rooms/attentions.tsx";
import { endInWords, nextInWords } from "../rooms/outlook.ts";
import { Facts, Phase } from "../rooms/room-card.tsx";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { Approvals } from "./approvals.tsx";
import { Company } from "./company.tsx";
import { LineControls, VisitorControls } from "./controls/controls.tsx";
import { Entries } from "./entries.tsx";
import { KeyHelp } from "./key-help.tsx";
import { SoftBlocks } from "./soft-blocks.tsx";
import { texts } from "./texts.ts";
import { texts as timelineTexts } from "./timeline/texts.ts";
import { Timeline } from "./timeline/timeline.tsx";
import { useTimeline } from "./timeline/use-timeline.ts";
import { useDetails } from "./use-details.ts";
import { WakeLock } from "./wake-lock.tsx";

/** One room on the day of the sale. */
export function RoomScreen({ room: id }: { readonly room: string }) {
  const { news, speech } = useConsole();
  const room = news?.figures.rooms.find((each) => each.room === id);
  return (
    <>
      {news === null && <p>{speech.text(frameTexts.freshness.waiting)}</p>}
      {news !== null && room === undefined && (
        <>
          <Title text={id} />
          <p>{speech.text(roomsTexts.unknownRoom)}</p>
        </>
      )}
      {room && <TheRoom room={room} />}
    </>
  );
}

function TheRoom({ room }: { readonly room: LiveRoom }) {
  const { news, elapsedMs, principal, speech } = useConsole();
  const actions = useActions(room.room);
  const { figures } = room;
  const details = useDetails(room.room, figures?.version);
  const timeline = useTimeline(room.room, actions.count + (figures?.version ?? 0));
  const marks = (timeline.entries ?? []).flatMap((entry) =>
    entry.kind === "act" && entry.row.error === null ? [entry.atMs / 1_000] : [],
  );
  const fresh = news && freshnessOfRoom(room, news, elapsedMs);
  const controlled = { room: room.room, settings: details?.settings ?? null, actions };
  const isOld = fresh !== null && isStale(fresh);

  return (
    <>
      <section class={isOld ? "room-now stale" : "room-now"} aria-labelledby="room-title">
        <div id="room-title">
          <Title text={room.title} />
        </div>
        <p class="room-id">
          <code>{room.room}</code> {figures?.rehearsal && <span class="tag">{speech.text(roomsTexts.rehearsal)}</span>}
        </p>
        {details?.homes?.map(({ system, ids, guide }) => (
          <p key={system} class="room-home">
            {speech.text(ids.length === 0 ? texts.home.unnamed : texts.home.named, {
              system,
              ids: ids.join(", "),
              guide,
            })}
          </p>
        ))}
        {isOld && <p class="old">{speech.text(frameTexts.oldFigures, { age: speech.age(fresh.ageMs) })}</p>}
        {figures && <Headline room={room.room} figures={figures} />}
        <Attentions room={room} />
        {figures && (
          <>
            <p class="waiting">
              <strong>{speech.number(figures.waiting)}</strong> {speech.text(roomsTexts.waiting)}
            </p>
            <Facts figures={figures} isWhole={false} />
          </>
        )}
        <div class="room-foot">
          <Company />
          <WakeLock />
        </div>
      </section>
      <RecentBar actions={actions} />
      {actions.problem && <ProblemNote problem={actions.problem} speech={speech} />}
      {mayDo(principal.role, "operator") && room.approvals.length > 0 && (
        <Approvals room={room.room} waiting={room.approvals} actions={actions} />
      )}
      {figures && <LineControls {...controlled} figures={figures} />}
      {figures?.draw && (
        <Entries room={room.room} isTaking={/^(committed|closing)$/.test(figures.draw.stage)} actions={actions} />
      )}
      {figures && <Charts room={room.room} figures={figures} marks={marks} />}
      {figures && mayDo(principal.role, "operator") && <SoftBlocks room={room.room} />}
      {figures && mayDo(principal.role, "box_office") && <VisitorControls {...controlled} figures={figures} />}
      <Timeline room={room.room} timeline={timeline} actions={actions} />
      <KeyHelp />
    </>
  );
}

/** `Open · 600 a minute · line ends about 11:42 ± 6 min`, and what the schedule has next. */
function Headline({ room, figures }: { readonly room: string; readonly figures: Figures }) {
  const { nowMs, speech } = useConsole();
  const { limit_per_minute: limit } = figures;
  return (
    <div class="headline">
      <Phase figures={figures} />
      <p>
        {limit !== null && <span>{speech.text(texts.perMinute, { n: limit })} · </span>}
        <span>
          {speech.text(roomsTexts.figures.ends)}: {endInWords(figures, speech, nowMs)}
        </span>
        {figures.draw !== null && <span> · {speech.text(timelineTexts.drawStages[figures.draw.stage])}</span>}
      </p>
      <p class="clock">
        <a href={`${pathOf({ room, name: "settings" })}#schedule`}>{nextInWords(figures, speech, nowMs)}</a>
      </p>
    </div>
  );
}
