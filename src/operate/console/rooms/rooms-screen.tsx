import { useEffect } from "preact/hooks";
import { take } from "../api/api.ts";
import { useConsole } from "../context.ts";
import { spanMs } from "../live/history.ts";
import { Title } from "../parts/title.tsx";
import { texts as frameTexts } from "../texts/frame.ts";
import { inOrder } from "./attention.ts";
import { RoomCard } from "./room-card.tsx";
import { texts } from "./texts.ts";

/** All rooms that the operator may see, what needs a person first. */
export function RoomsScreen() {
  const { heard, speech, history } = useConsole();
  const rooms = heard?.figures.rooms ?? [];
  useRecorded(rooms.map(({ room }) => room));

  return (
    <>
      <Title text={speech.text(frameTexts.rooms)} />
      {heard === null && <p>{speech.text(frameTexts.freshness.waiting)}</p>}
      {heard !== null && rooms.length === 0 && (
        <>
          <p>{speech.text(texts.none)}</p>
          <p>{speech.text(texts.noneReason)}</p>
        </>
      )}
      {heard !== null && (
        <ul class="cards">
          {inOrder(rooms, history).map((room) => (
            <li key={room.room}>
              <RoomCard room={room} heard={heard} />
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
        const asked = api.ask.GET(path, { params: { path: { room }, query: { from, step: "10s" } } });
        // Without them the curve begins with the console.
        const told = await take(asked).catch(() => null);
        if (told !== null) history.recorded(room, told.steps);
      }
    })();
  }, [rooms.join()]);
}
