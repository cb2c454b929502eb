import { readFileSync } from "node:fs";
import { join } from "node:path";
import ejs from "ejs";
import type { Locale } from "../locales/locale.ts";
import type { Looks } from "../themes/looks.ts";
import type { Theme } from "../types.ts";
import { contentSecurityPolicy, createStaticPage, type StaticPage } from "./assets.ts";
import type { ChooserFor } from "./variables.ts";

/** Pages that have a template of their own, and no script: see `Pages.withoutScript`. */
export function createScriptlessPage({
  viewsDir,
  looks,
  chooserFor,
}: {
  readonly viewsDir: string;
  readonly looks: Looks;
  readonly chooserFor: ChooserFor;
}) {
  const templates = new Map<string, ejs.TemplateFunction>();

  function templateOf(name: string): ejs.TemplateFunction {
    const file = join(viewsDir, `${name}.ejs`);
    const options = { filename: file, strict: true, _with: false, localsName: "locals", rmWhitespace: true };
    const template =
      templates.get(name) ?? ejs.compile(readFileSync(file, "utf8"), { ...options, destructuredLocals: ["page"] });
    templates.set(name, template);
    return template;
  }

  return (
    name: string,
    theme: Theme | undefined,
    usualLocale: Locale,
    fill: (locale: Locale) => { readonly title: string },
  ): StaticPage => {
    const look = looks(theme);
    const locale = look.localeFor(usualLocale);
    const page = fill(locale);
    const style = look.style("base.css", `${name}.css`);
    const html = look.templates.layout({
      locale,
      theme: look.variables(locale),
      title: page.title,
      style,
      script: undefined,
      rehearsal: "",
      main: templateOf(name)({ page: { locale, chooser: chooserFor(locale, null), ...page } }),
      chooser: undefined,
    });
    const policy = contentSecurityPolicy({ style, script: undefined, connects: false, hasForm: true });
    return createStaticPage(html, locale, policy);
  };
}
