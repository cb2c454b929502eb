import { MoreCharts, SaleChart, useRecorded } from "../charts/charts.tsx";
import { mayDo, pathOf, useConsole } from "../frame/console.ts";
import type { Figures, LiveRoom } from "../frame/live.ts";
import { freshnessOfRoom, isStale } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { RecentBar, useActions } from "../parts/actions.tsx";
import { Title } from "../parts/elements.tsx";
import { Attentions } from "../rooms/attentions.tsx";
import { nextInWords } from "../rooms/outlook.ts";
import { Phase } from "../rooms/room-card.tsx";
import { texts as roomsTexts } from "../rooms/texts.ts";
import { Approvals } from "./approvals.tsx";
import { Company } from "./company.tsx";
import { Entries } from "./entries.tsx";
import { FigureStrip } from "./figures.tsx";
import { KeyHelp } from "./key-help.tsx";
import { SoftBlocks } from "./soft-blocks.tsx";
import { texts } from "./texts.ts";
import { marksOf } from "./timeline/marks.ts";
import { texts as timelineTexts } from "./timeline/texts.ts";
import { Timeline } from "./timeline/timeline.tsx";
import { useTimeline } from "./timeline/use-timeline.ts";
import { Tools } from "./tools/tools.tsx";
import { useDetails } from "./use-details.ts";
import { WakeLock } from "./wake-lock.tsx";

/** One room on the day of the sale: figures, what can be done, one curve, and what happened. */
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
  const recorded = useRecorded(room.room, figures);
  const marks = marksOf(timeline.entries ?? [], speech);
  const fresh = news && freshnessOfRoom(room, news, elapsedMs);
  const isOld = fresh !== null && isStale(fresh);
  const isOperator = mayDo(principal.role, "operator");

  return (
    <div class={isOld ? "today stale" : "today"}>
      <div class="today-head">
        <Title text={room.title} />
        {figures && <Headline room={room.room} figures={figures} />}
        <Company />
      </div>
      {isOld && <p class="old">{speech.text(frameTexts.oldFigures, { age: speech.age(fresh.ageMs) })}</p>}
      {figures && <FigureStrip figures={figures} charts={recorded.charts} />}
      <Attentions room={room} isPhaseShown />
      {isOperator && room.approvals.length > 0 && (
        <Approvals room={room.room} waiting={room.approvals} actions={actions} />
      )}
      <RecentBar actions={actions} />
      <div class="cockpit">
        {figures && <Tools room={room.room} figures={figures} settings={details?.settings ?? null} actions={actions} />}
        <div class="course">
          {figures && <SaleChart recorded={recorded} marks={marks} />}
          <Timeline room={room.room} timeline={timeline} actions={actions} />
          {figures?.draw && (
            <Entries room={room.room} isTaking={/^(committed|closing)$/.test(figures.draw.stage)} actions={actions} />
          )}
          {figures && <MoreCharts recorded={recorded} marks={marks} />}
          {figures && isOperator && <SoftBlocks room={room.room} />}
          {details?.homes?.map(({ system, ids, guide }) => (
            <p key={system} class="room-home">
              {speech.text(ids.length === 0 ? texts.home.unnamed : texts.home.named, {
                system,
                ids: ids.join(", "),
                guide,
              })}
            </p>
          ))}
          <div class="today-foot">
            <KeyHelp />
            <WakeLock />
          </div>
        </div>
      </div>
    </div>
  );
}

/** The phase, how far the draw is, and what the schedule has next. */
function Headline({ room, figures }: { readonly room: string; readonly figures: Figures }) {
  const { nowMs, speech } = useConsole();
  const isScheduled = [figures.prequeue_at, figures.opens_at, figures.ends_at].some(
    (at) => Date.parse(at ?? "") > nowMs,
  );
  return (
    <>
      <Phase figures={figures} />
      {figures.rehearsal && <span class="tag">{speech.text(roomsTexts.rehearsal)}</span>}
      {figures.draw !== null && <p>{speech.text(timelineTexts.drawStages[figures.draw.stage])}</p>}
      <p class={isScheduled ? "clock" : "clock unscheduled"}>
        <a href={`${pathOf({ room, name: "settings" })}#schedule`}>{nextInWords(figures, speech, nowMs)}</a>
      </p>
    </>
  );
}
