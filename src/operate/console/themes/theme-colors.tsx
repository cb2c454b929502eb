import { useConsole } from "../frame/console.ts";
import { Swatch } from "./swatch.tsx";
import { texts } from "./texts.ts";
import { type ColorName, colorNames, type Theme } from "./theme-values.ts";

const schemes = ["light", "dark"] as const;

/** Each colour by what it is for, on light pages and on dark ones. */
export function ThemeColors({ theme: { colors, chosen_colors: chosen } }: { readonly theme: Theme }) {
  const { speech } = useConsole();
  const isChosen = (scheme: (typeof schemes)[number], name: ColorName) => chosen[scheme].includes(name);
  return (
    <section class="detail" aria-labelledby="theme-colors">
      <h2 id="theme-colors">{speech.text(texts.colors.title)}</h2>
      <p class="hint theme-note">{speech.text(texts.colors.what)}</p>
      <dl>
        {colorNames.map((name) => (
          <div key={name} class="contents">
            <dt>
              {speech.text(texts.colors.names[name])} <code>{name}</code>
            </dt>
            <dd class="row">
              {schemes.map((scheme) => (
                <span key={scheme} class="theme-color">
                  <Swatch
                    color={colors[scheme][name]}
                    text={speech.text(texts.colors.schemes[scheme], { color: colors[scheme][name] })}
                  />
                  {isChosen(scheme, name) && <span class="state">{speech.text(texts.colors.chosen)}</span>}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
