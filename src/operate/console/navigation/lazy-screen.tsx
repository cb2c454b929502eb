import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../context.ts";

type RoomProps = { readonly room: string };
type Loaded = ComponentType<RoomProps> | "loading" | "failed";

/** A screen whose script is loaded when it is first opened. @param load imports its module, and takes the screen out of it */
export function lazyScreen(load: () => Promise<ComponentType<RoomProps>>): ComponentType<RoomProps> {
  let known: ComponentType<RoomProps> | null = null;
  return function LazyScreen({ room }) {
    const { speech } = useConsole();
    const [loaded, setLoaded] = useState<Loaded>(() => known ?? "loading");
    const begin = () => {
      setLoaded(() => known ?? "loading");
      load().then(
        (Screen) => {
          known = Screen;
          setLoaded(() => Screen);
        },
        () => setLoaded("failed"),
      );
    };
    useEffect(() => {
      if (known === null) begin();
    }, []);

    if (loaded === "loading") return <p>{speech.text("loading")}</p>;
    if (loaded === "failed") {
      // A gateway of another version has other files: the page has to be loaded anew, which a new attempt cannot do.
      return (
        <div class="problem" role="alert">
          <p>{speech.text("screen.failed")}</p>
          <button type="button" onClick={() => location.reload()}>
            {speech.text("reload")}
          </button>
        </div>
      );
    }
    const Screen = loaded;
    return <Screen room={room} />;
  };
}
