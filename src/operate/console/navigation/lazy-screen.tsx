import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useConsole } from "../context.ts";
import { texts as frameTexts } from "../texts/frame.ts";
import type { ScreenProps } from "./screen.ts";

type Loaded = ComponentType<ScreenProps> | "loading" | "failed";

/** A screen whose script is loaded when it is first opened. @param load imports its module, and takes the screen out of it */
export function lazyScreen(load: () => Promise<ComponentType<ScreenProps>>): ComponentType<ScreenProps> {
  let known: ComponentType<ScreenProps> | null = null;
  return function LazyScreen(props) {
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

    if (loaded === "loading") return <p>{speech.text(frameTexts.loading)}</p>;
    if (loaded === "failed") {
      // A gateway of another version has other files: the page has to be loaded anew, which a new attempt cannot do.
      return (
        <div class="problem" role="alert">
          <p>{speech.text(frameTexts.screenFailed)}</p>
          <button type="button" onClick={() => location.reload()}>
            {speech.text(frameTexts.reload)}
          </button>
        </div>
      );
    }
    const Screen = loaded;
    return <Screen {...props} />;
  };
}
