import { useEffect } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../frame/console.ts";
import { spanMs } from "../frame/live.ts";
import { texts as frameTexts } from "../frame/texts.ts";
import { Title } from "../parts/elements.tsx";
import { inOrder } from "./attention.ts";
import { RoomCard } from "./room-card.tsx";
import { texts } from "./texts.ts";

/** All rooms that the operator may see, what needs a person first. */
export function RoomsScreen() {
  const { news, speech, history } = useConsole();
  const rooms = news?.figures.rooms ?? [];
  useRecorded(rooms.map(({ room }) => room));

  return (
    <>
      <Title text={speech.text(frameTexts.rooms)} />
      {news === null && <p>{speech.text(frameTexts.freshness.waiting)}</p>}
      {news !== null && rooms.length === 0 && (
        <>
          <p>{speech.text(texts.none)}</p>
          <p>{speech.text(texts.noneReason)}</p>
        </>
      )}
      {news !== null && (
        <ul class="cards">
          {inOrder(rooms, history).map((room) => (
            <li key={room.room}>
              <RoomCard room={room} news={news} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Asks for what was recorded before the console was opened: once for each room, one after the other. */
function useRecorded(rooms: readonly string[]): void {
  const { api, history, nowMs } = useConsole();
  useEffect(() => {
    void (async () => {
      for (const room of rooms.filter((each) => history.claim(each))) {
        const from = new Date(nowMs - spanMs).toISOString();
        const path = "/admin/rooms/{room}/statistics";
        const sent = api.ask.GET(path, { params: { path: { room }, query: { from, step: "10s" } } });
        // Without them the curve begins with the console.
        const statistics = await take(sent).catch(() => null);
        if (statistics !== null) history.addRecorded(room, statistics.steps);
      }
    })();
  }, [rooms.join()]);
}
