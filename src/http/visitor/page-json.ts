import type { Notice, NoticeCode } from "../../pages/index.ts";

/** A page that is neither an error nor a place in line, for programs: what it says, and the form that its button sends. */
export function pageJson({ code, action }: Notice): PageJson {
  const description = descriptions[code];
  return {
    state: code,
    ...(description !== undefined && { description }),
    ...(action?.kind === "post" && { action: { method: "POST", address: action.action, fields: action.fields } }),
  };
}

export interface PageJson {
  readonly state: NoticeCode;
  readonly description?: string;
  readonly action?: {
    readonly method: "POST";
    readonly address: string;
    /** To be sent as a form (`application/x-www-form-urlencoded`), from this origin. */
    readonly fields: Readonly<Record<string, string>>;
  };
}

const descriptions: Partial<Record<NoticeCode, string>> = {
  front_door: "this is a waiting room; visitors start at the site that they want to reach",
  leave_confirm: "the place has been kept; send the form to give it up",
  left: "the place in line, or the visit, has been given up",
  logged_out: "the visitor is logged out",
  logout_confirm: "the visitor is still logged in; send the form to log out",
};
