/** Written by `npm run reference` from docs/openapi.json: what the admin API takes and answers. */

interface Answer<Type extends string, Content> {
  headers: { [name: string]: unknown };
  content: { [Name in Type]: Content };
}
interface Empty {
  headers: { [name: string]: unknown };
  content?: never;
}
interface None {
  query?: never;
  header?: never;
  path?: never;
  cookie?: never;
}

export interface paths {
  "/admin/rooms/{room}/checks": {
    parameters: None;
    /** Tells what the last checks of the room found, and whether others go on. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Checks"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Begins checks of the room from outside: name, certificate, proxy, clients, a login that is played and ended. One at a time. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Checks"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms": {
    parameters: None;
    /** Lists rooms, those of the file and those made at run time. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          rooms: (components["schemas"]["Room"] | components["schemas"]["UnknownRoom"] | components["schemas"]["UnusedRoom"])[];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes a room, beside those of the file. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          issuer?: string;
          id: string;
          store?: string;
          title?: string;
          message?: string | {
            text: string | { [name: string]: string };
            severity?: "information" | "warning" | "sold_out";
            returns?: boolean | null;
          } | null;
          inlet?: {
            type: "manual" | "periodic" | "max_active" | "adaptive";
            outflow_per_minute?: number | null;
            starts_at?: string | null;
            ends_at?: string | null;
            max_active?: number | null;
            floor_per_minute?: number | null;
            start_per_minute?: number | null;
            step_per_minute?: number | null;
            latency_ms?: number | null;
            times_baseline?: number | null;
            error_rate?: number | null;
            decide_every?: string | null;
            probe?: components["schemas"]["SiteProbe"] | null;
            gate?: components["schemas"]["HealthGate"] | null;
          };
          schedule?: {
            prequeue_at?: string | null;
            opens_at?: string | null;
            ends_at?: string | null;
            time_zone?: string | null;
          };
          when_idle?: "page" | "pass_through" | {
            redirect: string;
          };
          when_ended?: "page" | "pass_through" | {
            redirect: string;
          };
          links?: ({
            label: string | { [name: string]: string };
            url: string;
          })[] | null;
          next_sale?: {
            title: string | { [name: string]: string };
            starts_at: string;
            url: string;
          } | null;
          while_waiting?: string | { [name: string]: string } | "off" | null;
          max_waiting?: number | null;
          stock?: {
            show?: "nothing" | "warning" | "number";
            per_visitor?: number;
            returns?: boolean;
          } | null;
          draw?: {
            order?: "random" | "arrival";
            beacon?: "none" | "drand";
          };
          admission?: {
            duration?: string;
            max_duration?: string | null;
            claim_within?: string;
            logins_per_admission?: number;
            addresses_per_admission?: number | null;
            first_visit_within?: string | null;
          };
          admission_log?: {
            max_entries?: number;
          };
          admission_events?: boolean | null;
          rehearsal?: boolean | null;
          push?: boolean | null;
          show_people?: boolean | null;
          moves?: "never" | "once" | "unlimited" | null;
          device_binding?: "none" | "offered" | "required" | null;
          when_away?: "hold" | "let_in" | null;
          check?: {
            type: "proof_of_work" | "challenge";
            challenge?: string | null;
            when_away?: "hold" | "let_in" | "proof_of_work";
            when?: "always" | "suspicious";
            share?: number;
            difficulty?: number;
            difficulty_max?: number;
            without_scripts?: "refuse" | "wait";
            wait?: string;
          } | null;
          joins_per_address?: {
            per_minute?: number;
            burst?: number;
            prequeue?: number | "off" | null;
            ranges?: ({
              range: string;
              limit: {
                per_minute?: number;
                burst?: number;
                prequeue?: number | "off";
              } | "off";
            })[] | null;
          } | "off";
          address_rules?: ({
            name: string;
            action: "pass" | "queue" | "challenge" | "refuse";
            ranges: string[];
          })[] | null;
          waiting_status?: 200 | 202 | 429;
          language?: string | null;
          targets?: string[];
          allowed_origins?: string[];
          admission_token?: {
            audience?: string;
            validity?: string;
          };
          verify?: {
            exempt?: string[];
            cookie_domain?: string | null;
          };
          rules?: ({
            name: string;
            action: "queue" | "bypass" | "ignore";
            when?: string | null;
            triggers?: { [name: string]: unknown }[] | null;
          })[] | null;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Room"] | components["schemas"]["UnknownRoom"] | components["schemas"]["MadeRoom"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}": {
    parameters: None;
    /** Removes a room made at run time. */
    delete: {
      parameters: {
        query?: {
          force?: "true" | "false";
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Shows a room: live numbers, and settings with where they come from. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Room"] | components["schemas"]["UnknownRoom"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Changes settings by a merge patch (RFC 7396); null gives a value back to the file. */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          title?: string | null;
          message?: string | {
            text: string | { [name: string]: string };
            severity?: "information" | "warning" | "sold_out";
            returns?: boolean | null;
          } | null;
          inlet?: {
            type?: "manual" | "periodic" | "max_active" | "adaptive" | null;
            outflow_per_minute?: number | null;
            starts_at?: string | null;
            ends_at?: string | null;
            max_active?: number | null;
            floor_per_minute?: number | null;
            start_per_minute?: number | null;
            step_per_minute?: number | null;
            latency_ms?: number | null;
            times_baseline?: number | null;
            error_rate?: number | null;
            decide_every?: string | null;
            probe?: components["schemas"]["SiteProbe"] | "off" | null;
            weight?: number | null;
            gate?: components["schemas"]["HealthGate"] | "off" | null;
          } | null;
          schedule?: {
            prequeue_at?: string | null;
            opens_at?: string | null;
            ends_at?: string | null;
            time_zone?: string | null;
          } | null;
          when_idle?: "page" | "pass_through" | {
            redirect: string;
          } | null;
          when_ended?: "page" | "pass_through" | {
            redirect: string;
          } | null;
          links?: ({
            label: string | { [name: string]: string };
            url: string;
          })[] | "off" | null;
          next_sale?: {
            title: string | { [name: string]: string };
            starts_at: string;
            url: string;
          } | "off" | null;
          while_waiting?: string | { [name: string]: string } | "off" | null;
          max_waiting?: number | null;
          stock?: {
            show?: "nothing" | "warning" | "number";
            per_visitor?: number;
            returns?: boolean;
          } | "off" | null;
          draw?: {
            order?: "random" | "arrival" | null;
            beacon?: "none" | "drand" | null;
          } | null;
          admission?: {
            duration?: string | null;
            max_duration?: string | null;
            claim_within?: string | null;
            logins_per_admission?: number | null;
            addresses_per_admission?: number | null;
            first_visit_within?: string | null;
          } | null;
          admission_log?: {
            max_entries?: number | null;
          } | null;
          admission_events?: boolean | null;
          rehearsal?: boolean | null;
          push?: boolean | null;
          show_people?: boolean | null;
          moves?: "never" | "once" | "unlimited" | null;
          device_binding?: "none" | "offered" | "required" | null;
          when_away?: "hold" | "let_in" | null;
          check?: {
            type: "proof_of_work" | "challenge";
            challenge?: string | null;
            when_away?: "hold" | "let_in" | "proof_of_work";
            when?: "always" | "suspicious";
            share?: number;
            difficulty?: number;
            difficulty_max?: number;
            without_scripts?: "refuse" | "wait";
            wait?: string;
          } | "off" | null;
          joins_per_address?: {
            per_minute?: number;
            burst?: number;
            prequeue?: number | "off" | null;
            ranges?: ({
              range: string;
              limit: {
                per_minute?: number;
                burst?: number;
                prequeue?: number | "off";
              } | "off";
            })[] | null;
          } | "off" | null;
          address_rules?: ({
            name: string;
            action: "pass" | "queue" | "challenge" | "refuse";
            ranges: string[];
          })[] | "off" | null;
          waiting_status?: 200 | 202 | 429 | null;
          language?: string | null | null;
          targets?: string[] | null;
          allowed_origins?: string[] | null;
          admission_token?: {
            audience?: string;
            validity?: string;
          } | null;
          verify?: {
            exempt?: string[];
            cookie_domain?: string | null;
          } | null;
          rules?: ({
            name: string;
            action: "queue" | "bypass" | "ignore";
            when?: string | null;
            triggers?: { [name: string]: unknown }[] | null;
          })[] | null | null;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Room"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/rehearsal": {
    parameters: None;
    /** Tells what the last rehearsal came to, and which settings have changed since. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["RehearsalResult"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Keeps what a rehearsal came to, with the pass that it was begun with. */
    put: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          pass: string;
          began_at: string;
          seconds: number;
          stopped: boolean;
          way: "link" | "login" | "site";
          visitors: number;
          arrived: number;
          joined: number;
          admitted: number;
          no_shows: number;
          waiting: number;
          lost_places: number;
          ghosts: number;
          most_in_a_minute: number;
          limit_per_minute: number | null;
          differences: {
            joined: number;
            admitted: number;
          } | null;
          mend: ({
            about: string;
            status: "warning" | "fault";
            text: string;
          })[];
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["RehearsalResult"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes a pass by which so many visitors of a rehearsal may join from one address, and tells the ways into the room. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          visitors: number;
          minutes: number;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Rehearsal"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/approvals": {
    parameters: None;
    /** Lists the steps that wait for the word of a second person. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          approvals: components["schemas"]["Approval"][];
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/approvals/{approval}/approve": {
    parameters: None;
    /** Carries out a step that another person asked for. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
          approval: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        428: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/approvals/{approval}": {
    parameters: None;
    /** Declines a step that waits, or withdraws one's own. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
          approval: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/draw/blocks": {
    parameters: None;
    /** Lists the addresses and networks, as keyed hashes, with the most entries in the draw. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          address?: string;
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["EntryBlocks"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/draw/voids": {
    parameters: None;
    /** Lists the entries that are voided, and why. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          edition: number;
          voids: components["schemas"]["EntryVoid"][];
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Voids the entries of some blocks, with a reason that everybody reads, while the draw takes entries. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          blocks: string[];
          reason: string;
          dry_run?: boolean;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          reference: string | null;
          entries: number;
          dry_run: boolean;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/draw/voids/{reference}": {
    parameters: None;
    /** Gives voided entries back, while the draw takes entries. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
          reference: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["EntryVoid"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/stock": {
    parameters: None;
    /** Says how many are left to sell: at 0 the room is sold out; null takes the number away. */
    put: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          remaining: number | null;
          as_of?: string;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          serving: number;
          queued: number;
          waiting: number;
          edition: number;
          phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
          remaining: number | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/pause": {
    parameters: None;
    /** Stops the line; paused time costs nobody anything. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/resume": {
    parameters: None;
    /** Lets a paused line go on. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/reset": {
    parameters: None;
    /** Starts a new line; all places are void. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        428: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/open": {
    parameters: None;
    /** Opens the room: the line moves. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/end": {
    parameters: None;
    /** Ends the room: nobody joins or enters any more. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        428: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/prequeue": {
    parameters: None;
    /** Lets visitors join before the opening. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/idle": {
    parameters: None;
    /** Puts the room into the phase before its line begins. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/passthrough": {
    parameters: None;
    /** Lets everybody in without a line. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        428: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/serving": {
    parameters: None;
    /** Lets so many more in; a negative number takes back calls of visitors who have not entered yet. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          increment_by: number;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          serving: number;
          queued: number;
          waiting: number;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/alarm": {
    parameters: None;
    /** Holds the line for a monitor of yours, or lets it go on. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          set: boolean;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Step"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/bypass": {
    parameters: None;
    /** Makes a link that lets one person in ahead of the line, once, within three minutes. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          note?: string;
          target_link_uri?: string;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["BypassLink"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/load": {
    parameters: None;
    /** Takes the site's latency, errors or signal, for an adaptive inlet. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          latency_ms?: number;
          error_rate?: number;
          signal?: "on" | "off";
        } };
      };
      responses: {
        200: Answer<"application/json", {
          phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough" | null;
          phase_reason: "recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | null;
          adaptive: components["schemas"]["Adaptive"] | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/report": {
    parameters: None;
    /** Ends the admissions of many visitors who are done, and counts those who left unnamed. */
    post: {
      parameters: {
        query?: never;
        header?: {
          "Idempotency-Key"?: string;
        };
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          exited?: number;
          completed?: string[];
          abandoned?: string[];
          revoked?: string[];
        } };
      };
      responses: {
        200: Answer<"application/json", {
          exited: number;
          completed: number;
          abandoned: number;
          revoked: number;
          unknown: string[];
          live_admissions: number | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        422: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/admissions": {
    parameters: None;
    /** Lists admissions, live and ended. */
    get: {
      parameters: {
        query?: {
          status?: "live" | "expired" | "logout" | "completed" | "abandoned" | "revoked";
          edition?: number;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          edition: number;
          admissions: components["schemas"]["Admission"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/admissions/{sub}": {
    parameters: None;
    /** Shows a visitor's admission. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
          sub: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Admission"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Ends a visitor's admission. */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
          sub: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          status: "completed" | "abandoned" | "revoked";
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Admission"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/log": {
    parameters: None;
    /** Exports the admission log: the base line, then the rows that are kept, oldest first, from `from` on. */
    get: {
      parameters: {
        query?: {
          from?: number;
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/x-ndjson", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/log/head": {
    parameters: None;
    /** Tells the oldest and the last row of the admission log, and the last one whose hash is stored. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["LogHead"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/statistics": {
    parameters: None;
    /** Tells how the room went, in steps of time, as JSON or CSV. */
    get: {
      parameters: {
        query?: {
          from?: string;
          to?: string;
          step?: string;
          format?: "json" | "csv";
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Statistics"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/forecast": {
    parameters: None;
    /** Tells when the line ends as it moves now. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Forecast"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Tells when the line would end at another outflow. Changes nothing. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          outflow_per_minute: number;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Forecast"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/soft-blocks": {
    parameters: None;
    /** Tells whom the process that answers refused a place, or asked for a check, in the last minutes, and why. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["SoftBlocks"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/visitors/{ref}": {
    parameters: None;
    /** Tells how it stands with a visitor, and why, by position, entry number or sub. */
    get: {
      parameters: {
        query?: {
          by?: "position" | "entry";
        };
        header?: never;
        path: {
          room: string;
          ref: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Visitor"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/visitors/{ref}/debug-link": {
    parameters: None;
    /** Makes a link that shows one browser, the first to open it, how it stands with a visitor, and why. */
    post: {
      parameters: {
        query?: {
          by?: "position" | "entry";
        };
        header?: never;
        path: {
          room: string;
          ref: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          expires_in?: string;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["DebugLink"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/visitors/find": {
    parameters: None;
    /** Tells how it stands with the visitor of a ticket, and why. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          ticket: string;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Visitor"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/clients": {
    parameters: None;
    /** Lists clients, those of the file and those made at run time, sorted by id. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          clients: components["schemas"]["Client"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes a client, and shows its secret this once. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          client_id?: string;
          token_endpoint_auth_method?: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
          jwks?: {
            keys: { [name: string]: unknown }[];
          };
          jwks_uri?: string;
          require_pkce?: boolean;
          require_pushed_authorization_requests?: boolean;
          dpop_bound_access_tokens?: boolean;
          response_modes?: ("query" | "fragment" | "form_post")[];
          id_token_signed_response_alg?: "RS256" | "PS256" | "ES256" | "EdDSA";
          redirect_uris: string[];
          post_logout_redirect_uris?: string[];
          backchannel_logout_uri?: string;
          backchannel_logout_session_required?: boolean;
          room?: string;
          rooms?: string[];
          profile?: "generic" | "alb" | "cognito" | "apache" | "oauth2-proxy" | "envoy" | "nginx" | "wordpress" | "keycloak" | "auth0" | "cloudflare-access";
          login_timeout?: string;
          initiate_login_uri?: string;
          initiate_login_uris?: { [name: string]: string };
          target_link_uris?: string[];
          third_party_login?: boolean;
          remembered_logins?: "one" | "many";
          refresh_tokens?: boolean;
          claims?: ("email" | "email_verified")[];
        } };
      };
      responses: {
        201: Answer<"application/json", {
          client_id: string;
          source?: "file" | "admin_api";
          status?: "active" | "shadowed" | "unusable";
          issuer?: string;
          settings?: components["schemas"]["ClientSettings"] | null;
          document?: { [name: string]: unknown } | null;
          secrets?: ({
            created_at: string | null;
            expires_at: string | null;
          })[];
          created_at?: string | null;
          updated_at?: string | null;
          faults?: string[];
          warnings?: string[];
          client_secret?: string;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/clients/{client}": {
    parameters: None;
    /** Shows a client. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          client: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Client"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Changes a client made at run time, by a merge patch (RFC 7396). */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          client: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          client_id?: string | null;
          token_endpoint_auth_method?: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt" | null;
          jwks?: {
            keys: { [name: string]: unknown }[];
          } | null;
          jwks_uri?: string | null;
          require_pkce?: boolean | null;
          require_pushed_authorization_requests?: boolean | null;
          dpop_bound_access_tokens?: boolean | null;
          response_modes?: ("query" | "fragment" | "form_post")[] | null;
          id_token_signed_response_alg?: "RS256" | "PS256" | "ES256" | "EdDSA" | null;
          redirect_uris?: string[] | null;
          post_logout_redirect_uris?: string[] | null;
          backchannel_logout_uri?: string | null;
          backchannel_logout_session_required?: boolean | null;
          room?: string | null;
          rooms?: string[] | null;
          profile?: "generic" | "alb" | "cognito" | "apache" | "oauth2-proxy" | "envoy" | "nginx" | "wordpress" | "keycloak" | "auth0" | "cloudflare-access" | null;
          login_timeout?: string | null;
          initiate_login_uri?: string | null;
          initiate_login_uris?: { [name: string]: string } | null;
          target_link_uris?: string[] | null;
          third_party_login?: boolean | null;
          remembered_logins?: "one" | "many" | null;
          refresh_tokens?: boolean | null;
          claims?: ("email" | "email_verified")[] | null;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          client_id: string;
          source?: "file" | "admin_api";
          status?: "active" | "shadowed" | "unusable";
          issuer?: string;
          settings?: components["schemas"]["ClientSettings"] | null;
          document?: { [name: string]: unknown } | null;
          secrets?: ({
            created_at: string | null;
            expires_at: string | null;
          })[];
          created_at?: string | null;
          updated_at?: string | null;
          faults?: string[];
          warnings?: string[];
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Deletes a client made at run time. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          client: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/clients/{client}/secret": {
    parameters: None;
    /** Gives a client made at run time a new secret; the one before works on for `overlap`. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          client: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          overlap?: string;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          client_id: string;
          client_secret: string;
          previous_secret_expires_at: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/keys": {
    parameters: None;
    /** Lists the keys of the issuers, without what is secret. */
    get: {
      parameters: {
        query?: {
          purpose?: "signing" | "tickets" | "cookies" | "draw";
          issuer?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          keys: components["schemas"]["Key"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes a key, which signs nothing yet. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          purpose: "signing" | "tickets" | "cookies" | "draw";
          alg?: "RS256" | "PS256" | "ES256" | "EdDSA";
          issuer?: string;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Key"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/keys/{kid}/stage": {
    parameters: None;
    /** Publishes a new key, and verifies with it. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          kid: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": Record<string, never> };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Key"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/keys/{kid}/promote": {
    parameters: None;
    /** Signs with a staged key from now on. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          kid: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          force?: boolean;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Key"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/keys/{kid}/retire": {
    parameters: None;
    /** Ends a key that signs no more. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          kid: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          force?: boolean;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Key"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/api-keys": {
    parameters: None;
    /** Lists the admin keys, those of the configuration and those made at run time, without what is secret. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          keys: components["schemas"]["ApiKey"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes an admin key, and shows its secret this once. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          id?: string;
          role: "viewer" | "box_office" | "operator" | "admin";
          rooms?: string[] | null;
          expires_at?: string | null;
          note?: string | null;
        } };
      };
      responses: {
        201: Answer<"application/json", {
          id: string;
          source: "file" | "admin_api";
          status: "active" | "expired" | "shadowed";
          role: "viewer" | "box_office" | "operator" | "admin";
          rooms: string[] | null;
          note: string | null;
          secrets: ({
            created_at: string | null;
            expires_at: string | null;
          })[];
          created_by: string | null;
          created_at: string | null;
          expires_at: string | null;
          secret: string;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/api-keys/{key}": {
    parameters: None;
    /** Shows an admin key. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          key: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["ApiKey"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Revokes an admin key made at run time. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          key: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/api-keys/{key}/rotate": {
    parameters: None;
    /** Gives an admin key made at run time a new secret; the one before works on for `overlap`. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          key: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          overlap?: string;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          id: string;
          secret: string;
          previous_secret_expires_at: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sessions": {
    parameters: None;
    /** Lists the sessions of operators' browsers, newest first. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          sessions: components["schemas"]["AdminSession"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sessions/{session}": {
    parameters: None;
    /** Ends a session, at all processes. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          session: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/session": {
    parameters: None;
    /** Returns the principal signed in with this browser, the CSRF token, and the available ways to sign in. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["BrowserSession"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in": {
    parameters: None;
    /** Shows the page to sign in. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/html", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in/key": {
    parameters: None;
    /** Signs a browser in with an admin key. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          key: string;
          return_to?: string;
        } };
      };
      responses: {
        303: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in/link": {
    parameters: None;
    /** Shows the page of a link that was printed at start, without using it up. */
    get: {
      parameters: {
        query?: {
          token?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/html", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Signs a browser in by a link that was printed at start, once. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          token: string;
        } };
      };
      responses: {
        303: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in/start": {
    parameters: None;
    /** Sends a browser to the provider. */
    get: {
      parameters: {
        query?: {
          return_to?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        302: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in/callback": {
    parameters: None;
    /** Takes a browser back from the provider. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        303: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-out": {
    parameters: None;
    /** Ends the session of this browser. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          csrf_token?: string;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          end_session_url: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/sign-in/back-channel-logout": {
    parameters: None;
    /** Takes a logout token of the provider, which ends sessions. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          logout_token: string;
        } };
      };
      responses: {
        200: Answer<"application/json", Record<string, never>>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/debug-link": {
    parameters: None;
    /** Shows how it stands with one visitor, to the browser that opened the link; to others before that its page. */
    get: {
      parameters: {
        query?: {
          token?: string;
          updates?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/html", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Opens a debug link in this browser, the first one. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          token: string;
        } };
      };
      responses: {
        303: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks": {
    parameters: None;
    /** Lists the webhooks. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          webhooks: components["schemas"]["Webhook"][];
          event_types: string[];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Makes a webhook, and shows its secret this once. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          url: string;
          rooms?: string[] | null;
          types?: string[] | null;
          format?: "cloudevents" | "slack";
          enabled?: boolean;
          note?: string | null;
        } };
      };
      responses: {
        201: Answer<"application/json", {
          id: string;
          source: "file" | "admin_api";
          url: string;
          rooms: string[] | null;
          types: string[];
          format: "cloudevents" | "slack";
          enabled: boolean;
          note: string | null;
          secrets: ({
            created_at: string | null;
            expires_at: string | null;
          })[];
          created_by: string | null;
          created_at: string | null;
          changed_at: string | null;
          secret: string;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks/{webhook}": {
    parameters: None;
    /** Shows a webhook. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Webhook"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Changes a webhook; null gives a member its usual value back. */
    patch: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          url?: string;
          rooms?: string[] | null;
          types?: string[] | null;
          format?: "cloudevents" | "slack";
          enabled?: boolean;
          note?: string | null;
        } };
      };
      responses: {
        200: Answer<"application/json", components["schemas"]["Webhook"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Removes a webhook, and all that waits for it. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks/{webhook}/test": {
    parameters: None;
    /** Sends a test event now, and tells what the receiver answered. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["DeliveryAttempt"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks/{webhook}/secret": {
    parameters: None;
    /** Gives a webhook a new secret, and shows it this once; the one before signs, too, for `overlap`. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: {
        content: { "application/json": {
          overlap?: string;
        } };
      };
      responses: {
        200: Answer<"application/json", {
          id: string;
          secret: string;
          previous_secret_expires_at: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks/{webhook}/dead-letters": {
    parameters: None;
    /** Lists events that were given up, by room and oldest first. A page may be short though there are more. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path: {
          webhook: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          dead_letters: components["schemas"]["DeadLetter"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/webhooks/{webhook}/dead-letters/{letter}/replay": {
    parameters: None;
    /** Sends a dead letter again; one that is accepted is gone. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          webhook: string;
          letter: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["DeliveryAttempt"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/events": {
    parameters: None;
    /** Lists the events of a room that are kept, the latest first. */
    get: {
      parameters: {
        query?: {
          type?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          events: components["schemas"]["Event"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/events": {
    parameters: None;
    /** Streams events as they happen (server-sent events), behind `Last-Event-ID` where that is sent. */
    get: {
      parameters: {
        query?: {
          room?: string;
          type?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/event-stream", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/live": {
    parameters: None;
    /** Streams the figures of all rooms each second (server-sent events), as this process knows them; with `room` also who else has that one open. */
    get: {
      parameters: {
        query?: {
          room?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/event-stream", components["schemas"]["LiveFigures"] | components["schemas"]["Company"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/incidents": {
    parameters: None;
    /** Lists incidents: those that go on, then those resolved in the last 14 days. */
    get: {
      parameters: {
        query?: {
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          incidents: components["schemas"]["Incident"][];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Opens an incident, which the status pages show within seconds. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          title: string;
          text: string;
          state?: "investigating" | "identified" | "monitoring";
          rooms?: string[] | null;
          language?: string | null;
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Incident"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/incidents/{incident}": {
    parameters: None;
    /** Shows an incident. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          incident: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Incident"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
    /** Takes an incident off the status pages. */
    delete: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          incident: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        204: Empty;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/incidents/{incident}/updates": {
    parameters: None;
    /** Adds what is known now; with another state, where the incident has come to. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          incident: string;
        };
        cookie?: never;
      };
      requestBody: {
        content: { "application/json": {
          text: string;
          state?: "investigating" | "identified" | "monitoring" | "resolved";
        } };
      };
      responses: {
        201: Answer<"application/json", components["schemas"]["Incident"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        413: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        415: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/audit": {
    parameters: None;
    /** Lists what was changed and refused, the latest first: who, what, old and new, with what result. */
    get: {
      parameters: {
        query?: {
          room?: string;
          principal?: string;
          route?: string;
          result?: "done" | "refused" | "failed";
          from?: string;
          to?: string;
          limit?: number;
          cursor?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          rows: (components["schemas"]["AuditRow"] | components["schemas"]["AuditChainRow"])[];
          next_cursor: string | null;
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/audit/export": {
    parameters: None;
    /** Exports the audit with its chain, oldest first, for `usher verify-log`; for some rooms, their rows alone. */
    get: {
      parameters: {
        query?: {
          from?: string;
          to?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/x-ndjson", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/audit/csv": {
    parameters: None;
    /** Exports requests of the audit as a table, oldest first. */
    get: {
      parameters: {
        query?: {
          room?: string;
          principal?: string;
          route?: string;
          result?: "done" | "refused" | "failed";
          from?: string;
          to?: string;
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/csv", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/audit/{row}": {
    parameters: None;
    /** Shows a row of the audit. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          row: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["AuditRow"] | components["schemas"]["AuditChainRow"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/audit/{row}/undo": {
    parameters: None;
    /** Takes a change of settings or phase back, by the request that leads there; it takes the same role. */
    post: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          row: number;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          undone: number;
          changes: {
            member: string;
            from?: unknown;
            to?: unknown;
          }[];
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/pages": {
    parameters: None;
    /** Lists the pages that visitors of the room can meet, their languages and themes, and messages to send. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path: {
          room: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["RoomPages"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/rooms/{room}/pages/{page}": {
    parameters: None;
    /** Shows a page of the room with a made-up visitor, as HTML that runs and sends nothing. */
    get: {
      parameters: {
        query?: {
          language?: string;
          client?: string;
          theme?: string;
          message?: string;
        };
        header?: never;
        path: {
          room: string;
          page: string;
        };
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"text/html", string>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        404: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/themes": {
    parameters: None;
    /** Lists the themes of pages, with the rooms and clients that use them. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", {
          themes: components["schemas"]["Theme"][];
        }>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/health": {
    parameters: None;
    /** Shows how processes, store, keys and logs are, and what is not well; asks no store. */
    get: {
      parameters: {
        query?: {
          show?: "all" | "attention";
        };
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Health"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
  "/admin/backup": {
    parameters: None;
    /** Answers what a backup needs of this installation, without its secrets file. */
    get: {
      parameters: {
        query?: never;
        header?: never;
        path?: never;
        cookie?: never;
      };
      requestBody?: never;
      responses: {
        200: Answer<"application/json", components["schemas"]["Backup"]>;
        400: Answer<"application/json", components["schemas"]["Error"]>;
        401: Answer<"application/json", components["schemas"]["Error"]>;
        403: Answer<"application/json", components["schemas"]["Error"]>;
        409: Answer<"application/json", components["schemas"]["Error"]>;
        414: Answer<"application/json", components["schemas"]["Error"]>;
        421: Answer<"application/json", components["schemas"]["Error"]>;
        429: Answer<"application/json", components["schemas"]["Error"]>;
        500: Answer<"application/json", components["schemas"]["Error"]>;
        503: Answer<"application/json", components["schemas"]["Error"]>;
      };
    };
  };
}

export interface components {
  schemas: {
    Adaptive: {
      rate_per_minute: number;
      target_ms: number | null;
      latency_ms: number | null;
      baseline_ms: number | null;
      error_rate: number | null;
      decision: "increase" | "decrease" | "hold";
      reason: "above_target" | "errors" | "signal_off" | "below_target" | "on_target" | "settling" | "at_floor" | "at_limit" | "unused" | "no_data" | "not_open";
      decided_at: string | null;
    };
    AdminSession: {
      id: string;
      principal: {
        kind: "key" | "person";
        id: string;
        name: string;
      };
      role: "viewer" | "box_office" | "operator" | "admin";
      rooms: string[] | null;
      created_at: string | null;
      last_used_at: string | null;
      expires_at: string | null;
    };
    Admission: {
      sub: string;
      status: "live" | "expired" | "logout" | "completed" | "abandoned" | "revoked";
      queue_position: number | null;
      admitted_via: "queue" | "bypass" | "passthrough" | "idle" | "ended";
      edition: number;
      admitted_at: string;
      expires_at: string;
      visit_by: string | null;
      logins: number;
      addresses: number | null;
    };
    ApiKey: {
      id: string;
      source: "file" | "admin_api";
      status: "active" | "expired" | "shadowed";
      role: "viewer" | "box_office" | "operator" | "admin";
      rooms: string[] | null;
      note: string | null;
      secrets: ({
        created_at: string | null;
        expires_at: string | null;
      })[];
      created_by: string | null;
      created_at: string | null;
      expires_at: string | null;
    };
    Approval: {
      id: string;
      step: "end" | "passthrough" | "reset";
      would: string | null;
      asked_by: {
        kind: "key" | "person";
        id: string;
        name: string | null;
      };
      asked_at: string | null;
      expires_at: string | null;
      own: boolean;
    };
    AuditChainRow: {
      seq: number;
      at: string;
      hash: string;
      kind: "begin" | "recovery";
      life?: string;
      heard?: number;
      after?: {
        seq: number;
        hash: string;
      } | null;
    };
    AuditRow: {
      seq: number;
      at: string;
      hash: string;
      kind: "request";
      principal: {
        kind: "key" | "person";
        id: string;
        name?: string;
        role: "viewer" | "box_office" | "operator" | "admin";
      } | null;
      address: string;
      method: string;
      route: string;
      room: string | null;
      subject: { [name: string]: string };
      changes: {
        member: string;
        from?: unknown;
        to?: unknown;
      }[];
      inverse: {
        method: string;
        path: string;
        body: { [name: string]: unknown } | null;
      } | null;
      undoes: number | null;
      request_id: string;
      status: number;
      error: string | null;
      unlogged: number;
    };
    Backup: {
      made_at: string;
      usher: string;
      registries: { [name: string]: {
        version: number;
        content: Record<string, never>;
      } };
      rooms: { [name: string]: {
        room: string;
        checkpoint: Record<string, never>;
        keys: string | null;
      } };
    };
    BrowserSession: {
      principal: {
        kind: "key" | "person";
        id: string;
        name: string;
        role: "viewer" | "box_office" | "operator" | "admin";
        rooms: string[] | null;
      } | null;
      session: string | null;
      csrf_token: string | null;
      sign_in: {
        key: boolean;
        provider: boolean;
      };
    };
    BypassLink: {
      url: string;
      expires_at: string;
      room: string;
      link: string;
      note: string | null;
      target_link_uri: string | null;
    };
    Checks: {
      room: string;
      running: {
        by: {
          kind: string;
          id: string;
          name: string | null;
        };
        began_at: string;
      } | null;
      last: {
        by: {
          kind: string;
          id: string;
          name: string | null;
        };
        began_at: string;
        ended_at: string;
        findings: ({
          about: string;
          status: "ok" | "warning" | "fault";
          text: string;
        })[];
      } | null;
    };
    Client: {
      client_id: string;
      source: "file" | "admin_api";
      status: "active" | "shadowed" | "unusable";
      issuer: string;
      settings: components["schemas"]["ClientSettings"] | null;
      document: { [name: string]: unknown } | null;
      secrets: ({
        created_at: string | null;
        expires_at: string | null;
      })[];
      created_at: string | null;
      updated_at: string | null;
      faults: string[];
      warnings: string[];
    };
    ClientSettings: {
      token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
      jwks: {
        keys: { [name: string]: unknown }[];
      } | null;
      jwks_uri: string | null;
      require_pkce: boolean;
      require_pushed_authorization_requests: boolean;
      dpop_bound_access_tokens: boolean;
      response_modes: ("query" | "fragment" | "form_post")[];
      id_token_signed_response_alg: "RS256" | "PS256" | "ES256" | "EdDSA";
      redirect_uris: string[];
      post_logout_redirect_uris: string[];
      backchannel_logout_uri: string | null;
      backchannel_logout_session_required: boolean | null;
      rooms: string[];
      profile: string;
      login_timeout: string;
      initiate_login_uri: string;
      initiate_login_uris: { [name: string]: string };
      target_link_uris: string[];
      third_party_login: boolean;
      remembered_logins: "one" | "many";
      refresh_tokens: boolean;
      claims: ("email" | "email_verified")[];
    };
    ColorNames: ("paper" | "card" | "ink" | "soft" | "line" | "edge" | "accent" | "on_accent" | "tint" | "warn" | "warn_tint" | "bad")[];
    Company: {
      room: string;
      people: ({
        kind: "key" | "person";
        name: string;
        role: "viewer" | "box_office" | "operator" | "admin";
      })[];
      more: number;
    };
    DeadLetter: {
      id: string;
      event: { [name: string]: unknown };
      reason: string;
      attempts: number;
      given_up_at: string;
    };
    DebugLink: {
      url: string;
      expires_at: string;
      room: string;
    };
    DeliveryAttempt: {
      delivered: boolean;
      status: number | null;
      answer: string;
      reason: string | null;
      duration_ms: number;
    };
    EntryBlock: {
      block: string;
      entries: number;
      share: number;
      voided: string[];
    };
    EntryBlocks: {
      draw: number;
      edition: number;
      entries: number;
      known: number;
      addresses: components["schemas"]["EntryBlock"][];
      networks: components["schemas"]["EntryBlock"][];
      asked: {
        address: components["schemas"]["EntryBlock"];
        network: components["schemas"]["EntryBlock"];
      } | null;
    };
    EntryVoid: {
      reference: string;
      draw: number;
      reason: string;
      blocks: string[];
      entries: number;
      numbers: [number, number][];
      at: string;
      restored_at: string | null;
    };
    Error: {
      error: "admission_ended" | "admission_required" | "approval_required" | "bad_request" | "body_too_large" | "bypass_full" | "bypass_held" | "bypass_later" | "bypass_unreadable" | "bypass_void" | "check_required" | "confirmation_required" | "conflict" | "cookies_blocked" | "crawler_unconfirmed" | "device_required" | "entry_voided" | "forbidden" | "hold_on" | "idempotency_key_reused" | "in_use" | "internal_error" | "invalid_invitation" | "invalid_ticket" | "invitation_early" | "link_preview" | "method_not_allowed" | "move_spent" | "move_void" | "moved" | "navigation_required" | "network_refused" | "no_ticket" | "not_an_entry" | "not_found" | "not_open" | "other_device" | "place_expired" | "place_left" | "provider_unavailable" | "request_too_long" | "room_closed" | "room_ended" | "room_full" | "room_recovering" | "sign_in_failed" | "sign_in_required" | "store_unavailable" | "ticket_unreadable" | "too_many_from_address" | "too_many_logins" | "too_many_places" | "too_many_requests" | "too_many_restarts" | "unauthorized" | "uninvited" | "unknown_room" | "unknown_target" | "unsupported_media_type";
      error_description: string;
      /** Of `bad_request`, where members of a body or a query are wrong: which, and why; at most 20. */
      faults?: {
        path: string;
        message: string;
      }[];
      /** Of `admission_ended`: how it has ended. Of `entry_voided`: why, as the organiser says. */
      reason?: string;
      /** Of `entry_voided`: by which to ask the organiser about it. */
      reference?: string;
      /** Of `sign_in_required`: what to open in a browser. */
      sign_in?: string;
      /** Of `admission_required`: where to get one. */
      enter?: string;
      /** Of `not_open` and `invitation_early`. */
      opens_at?: string | null;
      /** Of `check_required`: what is to be done first. `challenge` is Altcha's, version 2; `provider` and `site_key` are of a challenge. `session` comes with `challenge`, and goes with its proof, so that it counts after a change of network. */
      check?: {
        type: "proof_of_work" | "challenge";
        challenge?: { [name: string]: unknown };
        provider?: string;
        site_key?: string;
        session?: string;
      };
      /** Of `device_required`: to be signed; an app finds it in the header `DPoP-Nonce`, too. */
      dpop_nonce?: string;
      /** Of `not_open` and `room_ended`: where the organiser sends visitors. */
      redirect?: string;
      /** Of `confirmation_required` and `approval_required`: what the request would do. */
      would?: string;
      /** Of `confirmation_required`: whether the confirmed request then waits for a second person. */
      takes_two?: boolean;
      /** Of `approval_required`: the id of what waits for a second person. */
      approval?: string;
      /** Of `confirmation_required`: for the header `Confirm` of the next request. */
      confirm?: string;
      /** Of a link that stays valid, of `confirm` and of `approval`. */
      expires_at?: string;
    };
    Event: {
      specversion: "1.0";
      id: string;
      source: string;
      type: string;
      subject: string;
      time: string;
      datacontenttype: "application/json";
      data: { [name: string]: unknown };
    };
    Forecast: {
      room: string;
      at: string;
      phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
      waiting: number;
      arrivals_per_minute: number;
      admissions_per_minute: number | null;
      wait_of_last_seconds: {
        low: number | null;
        high: number | null;
      } | null;
      line_ends_in_seconds: {
        low: number | null;
        high: number | null;
      } | null;
      line_ends_at: {
        low: string | null;
        high: string | null;
      } | null;
      note: "limit_changed" | "slower" | null;
      pages_open: {
        visitors: number;
        margin: number;
        at: string;
      } | null;
    };
    Health: {
      at: string;
      attention: components["schemas"]["HealthAttention"][];
      processes: components["schemas"]["HealthProcess"][] | null;
      store: components["schemas"]["HealthStore"] | null;
      keys: components["schemas"]["HealthKey"][] | null;
      rooms: components["schemas"]["HealthRoom"][] | null;
      beacon: {
        fetched_at: string | null;
        failed_at: string | null;
      } | null;
      webhooks: components["schemas"]["HealthWebhook"][] | null;
      queue_it: components["schemas"]["HealthQueueItRoom"][] | null;
    };
    HealthAttention: {
      code: "process_gone" | "process_not_ready" | "process_warning" | "process_late" | "process_heap_full" | "builds_differ" | "configurations_differ" | "settings_drift" | "secrets_failing" | "store_away" | "store_slow" | "store_restarted" | "store_evicts" | "store_eviction_unknown" | "store_not_append_only" | "store_append_fails" | "store_save_fails" | "store_nearly_full" | "room_unknown" | "room_recovering" | "log_unsealed" | "joins_refused" | "beacon_fails" | "webhook_behind" | "webhook_gave_up" | "queue_it_refused";
      severity: "fault" | "warning";
      about: string | null;
      text: string;
    };
    HealthGate: {
      health_url: string;
      interval?: string;
      timeout?: string;
      unhealthy_after?: number;
      healthy_after?: number;
    };
    HealthKey: {
      kid: string;
      issuer: string;
      purpose: "signing" | "tickets" | "cookies" | "draw";
      alg: string | null;
      state: "new" | "staged" | "active" | "retiring" | "retired";
      since: string | null;
      next_step_at: string | null;
      held: boolean;
    };
    HealthProcess: {
      id: string;
      name: string;
      state: "starting" | "ready" | "not_ready" | "stopping" | "gone";
      answers: boolean;
      version: string;
      build: string | null;
      node: string;
      configuration: string;
      started_at: string;
      seen_at: string;
      clock_ahead_ms: number | null;
      loop_delay_ms: number | null;
      memory_bytes: number | null;
      heap_share: number | null;
      requests_per_second: number | null;
      store_latency_ms: number | null;
      checkpoints_written_at: string | null;
      failing_secrets: number;
    };
    HealthQueueItRoom: {
      room: string;
      sent: number;
      handed_over: number;
      refused: number;
      refused_at: string | null;
    };
    HealthRoom: {
      room: string;
      availability: "ready" | "recovering" | "away";
      log: {
        rows: number;
        unsealed: number;
        sealed_through_at: string | null;
      } | null;
    };
    HealthStore: {
      answers: boolean;
      age_ms: number | null;
      latency_ms: number | null;
      server: {
        software: string;
        version: string;
        arrangement: "single" | "sentinel" | "cluster";
        run: string;
        up_seconds: number | null;
        used_bytes: number | null;
        max_bytes: number | null;
        eviction_policy: string | null;
        append_only: boolean | null;
        saved_at: string | null;
        role: "master" | "replica" | null;
        replicas: number | null;
      } | null;
    };
    HealthWebhook: {
      webhook: string;
      lag_ms: number;
      given_up_at: string | null;
    };
    Incident: {
      id: string;
      title: string;
      state: "investigating" | "identified" | "monitoring" | "resolved";
      language: string | null;
      rooms: string[] | null;
      opened_at: string;
      resolved_at: string | null;
      updates: ({
        at: string;
        state: "investigating" | "identified" | "monitoring" | "resolved";
        text: string;
      })[];
    };
    Key: {
      kid: string;
      issuer: string;
      purpose: "signing" | "tickets" | "cookies" | "draw";
      alg: string | null;
      state: "new" | "staged" | "active" | "retiring" | "retired";
      source: "configuration" | "admin_api" | "automatic";
      created_at: string | null;
      staged_at: string | null;
      promoted_at: string | null;
      superseded_at: string | null;
      retired_at: string | null;
      may_promote_at: string | null;
      may_retire_at: string | null;
      held: boolean;
    };
    LiveFigures: {
      at: string;
      rooms: components["schemas"]["LiveRoom"][];
    };
    LiveRoom: {
      room: string;
      title: string;
      availability: "ready" | "recovering" | "away";
      age_ms: number | null;
      figures: {
        phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
        phase_reason: "recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | null;
        base_phase: "idle" | "prequeue" | "open" | "ended" | "passthrough";
        holds: ("recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | "signal")[];
        prequeue_at: string | null;
        opens_at: string | null;
        ends_at: string | null;
        edition: number;
        version: number;
        serving: number;
        queued: number;
        waiting: number;
        held_until: string | null;
        live_admissions: number;
        absent: number;
        outflow_per_minute: number;
        draw: {
          stage: "committed" | "closing" | "closed" | "drawn" | "cancelled";
          commitment: string;
        } | null;
        stock: {
          remaining: number;
          as_of: string;
        } | null;
        warnings: string[];
        rehearsal: boolean;
        inlet: "manual" | "periodic" | "max_active" | "adaptive";
        max_active: number | null;
        limit_per_minute: number | null;
        line_ends_at: {
          low: string | null;
          high: string | null;
        } | null;
      } | null;
      approvals: ("end" | "passthrough" | "reset")[];
    };
    LogHead: {
      first: number | null;
      last: number;
      rows: number;
      sealed: {
        seq: number;
        hash: string;
      } | null;
    };
    MadeRoom: {
      room: string;
      issuer?: string;
      source?: "file" | "admin_api";
      status?: "active" | "shadowed" | "unusable";
      document?: { [name: string]: unknown } | null;
      created_at?: string | null;
      changed_at?: string | null;
      faults?: string[];
      homes?: components["schemas"]["RoomHome"][];
    };
    Palette: {
      paper: string;
      card: string;
      ink: string;
      soft: string;
      line: string;
      edge: string;
      accent: string;
      on_accent: string;
      tint: string;
      warn: string;
      warn_tint: string;
      bad: string;
    };
    Place: {
      state: "entered" | "waiting" | "served" | "admitted" | "expired";
      position: number | null;
      entry: number | null;
      entries: number | null;
      ahead: number | null;
      serving: number | null;
      estimated_wait_seconds: {
        low: number;
        high: number;
      } | null;
      held_for_seconds: number | null;
      poll_after_ms: number;
      voided?: {
        reference: string;
        reason: string;
      };
    };
    Rehearsal: {
      room: string;
      issuer: string;
      pass: string;
      visitors: number;
      expires_at: string;
      clients: components["schemas"]["RehearsalClient"][];
      has_link: boolean;
    };
    RehearsalClient: {
      client_id: string;
      redirect_uris: string[];
      token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
      require_pushed_authorization_requests: boolean;
      is_first_room: boolean;
      is_only_room: boolean;
    };
    RehearsalResult: {
      room: string;
      last: {
        by: {
          kind: string;
          id: string;
          name: string | null;
        };
        at: string;
        began_at: string;
        seconds: number;
        stopped: boolean;
        way: "link" | "login" | "site";
        visitors: number;
        arrived: number;
        joined: number;
        admitted: number;
        no_shows: number;
        waiting: number;
        lost_places: number;
        ghosts: number;
        most_in_a_minute: number;
        limit_per_minute: number | null;
        differences: {
          joined: number;
          admitted: number;
        } | null;
        mend: ({
          about: string;
          status: "ok" | "warning" | "fault";
          text: string;
        })[];
        changed_since: string[];
      } | null;
    };
    Room: {
      room: string;
      title: string;
      availability: "ready" | "recovering" | "away";
      phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
      phase_reason: "recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | null;
      base_phase: "idle" | "prequeue" | "open" | "ended" | "passthrough";
      holds: ("recovered" | "sold_out" | "operator" | "alarm" | "unhealthy" | "signal")[];
      prequeue_at: string | null;
      opens_at: string | null;
      ends_at: string | null;
      edition: number;
      version: number;
      serving: number;
      queued: number;
      waiting: number;
      held_until: string | null;
      live_admissions: number;
      absent: number;
      outflow_per_minute: number;
      draw: {
        stage: "committed" | "closing" | "closed" | "drawn" | "cancelled";
        commitment: string;
      } | null;
      stock: {
        remaining: number;
        as_of: string;
      } | null;
      warnings: string[];
      gaps: number[][];
      pending: number;
      counts: { [name: string]: number };
      outflow_limit: number | null;
      shared_outflow_limit: number | null;
      adaptive: components["schemas"]["Adaptive"] | null;
      settings: components["schemas"]["RoomSettings"];
      settings_file: components["schemas"]["RoomSettings"];
      settings_live: components["schemas"]["RoomSettingsChange"];
      updated_at: string;
      issuer?: string;
      source?: "file" | "admin_api";
      status?: "active" | "shadowed" | "unusable";
      document?: { [name: string]: unknown } | null;
      created_at?: string | null;
      changed_at?: string | null;
      faults?: string[];
      homes?: components["schemas"]["RoomHome"][];
    };
    RoomHome: {
      system: string;
      ids: string[];
      guide: string;
    };
    RoomPages: {
      pages: ({
        id: string;
        title: string;
        kind: "waiting" | "notice";
      })[];
      language: string;
      languages: {
        tag: string;
        name: string;
        of_room: boolean;
      }[];
      clients: string[];
      messages: ({
        id: "short_delay" | "technical_problem" | "going_on" | "last_tickets" | "sold_out";
        severity: "information" | "warning" | "sold_out";
        texts: { [name: string]: string };
      })[];
    };
    RoomSettings: {
      title?: string;
      message?: string | {
        text: string | { [name: string]: string };
        severity?: "information" | "warning" | "sold_out";
        returns?: boolean | null;
      } | null;
      inlet?: {
        type: "manual" | "periodic" | "max_active" | "adaptive";
        outflow_per_minute?: number | null;
        starts_at?: string | null;
        ends_at?: string | null;
        max_active?: number | null;
        floor_per_minute?: number | null;
        start_per_minute?: number | null;
        step_per_minute?: number | null;
        latency_ms?: number | null;
        times_baseline?: number | null;
        error_rate?: number | null;
        decide_every?: string | null;
        probe?: components["schemas"]["SiteProbe"] | null;
        shared_outflow?: string | null;
        weight?: number | null;
        gate?: components["schemas"]["HealthGate"] | null;
      };
      schedule?: {
        prequeue_at?: string | null;
        opens_at?: string | null;
        ends_at?: string | null;
        time_zone?: string | null;
      };
      when_idle?: "page" | "pass_through" | {
        redirect: string;
      };
      when_ended?: "page" | "pass_through" | {
        redirect: string;
      };
      links?: ({
        label: string | { [name: string]: string };
        url: string;
      })[] | null;
      next_sale?: {
        title: string | { [name: string]: string };
        starts_at: string;
        url: string;
      } | null;
      while_waiting?: string | { [name: string]: string } | "off" | null;
      max_waiting?: number | null;
      stock?: {
        show?: "nothing" | "warning" | "number";
        per_visitor?: number;
        returns?: boolean;
      } | null;
      draw?: {
        order?: "random" | "arrival";
        beacon?: "none" | "drand";
      };
      admission?: {
        duration?: string;
        max_duration?: string | null;
        claim_within?: string;
        logins_per_admission?: number;
        addresses_per_admission?: number | null;
        first_visit_within?: string | null;
      };
      admission_log?: {
        max_entries?: number;
      };
      admission_events?: boolean | null;
      rehearsal?: boolean | null;
      push?: boolean | null;
      show_people?: boolean | null;
      moves?: "never" | "once" | "unlimited" | null;
      device_binding?: "none" | "offered" | "required" | null;
      when_away?: "hold" | "let_in" | null;
      check?: {
        type: "proof_of_work" | "challenge";
        challenge?: string | null;
        when_away?: "hold" | "let_in" | "proof_of_work";
        when?: "always" | "suspicious";
        share?: number;
        difficulty?: number;
        difficulty_max?: number;
        without_scripts?: "refuse" | "wait";
        wait?: string;
      } | null;
      joins_per_address?: {
        per_minute?: number;
        burst?: number;
        prequeue?: number | "off" | null;
        ranges?: ({
          range: string;
          limit: {
            per_minute?: number;
            burst?: number;
            prequeue?: number | "off";
          } | "off";
        })[] | null;
      } | "off";
      address_rules?: ({
        name: string;
        action: "pass" | "queue" | "challenge" | "refuse";
        ranges: string[];
      })[] | null;
      waiting_status?: 200 | 202 | 429;
    };
    RoomSettingsChange: {
      title?: string | null;
      message?: string | {
        text: string | { [name: string]: string };
        severity?: "information" | "warning" | "sold_out";
        returns?: boolean | null;
      } | null;
      inlet?: {
        type?: "manual" | "periodic" | "max_active" | "adaptive" | null;
        outflow_per_minute?: number | null;
        starts_at?: string | null;
        ends_at?: string | null;
        max_active?: number | null;
        floor_per_minute?: number | null;
        start_per_minute?: number | null;
        step_per_minute?: number | null;
        latency_ms?: number | null;
        times_baseline?: number | null;
        error_rate?: number | null;
        decide_every?: string | null;
        probe?: components["schemas"]["SiteProbe"] | "off" | null;
        weight?: number | null;
        gate?: components["schemas"]["HealthGate"] | "off" | null;
      } | null;
      schedule?: {
        prequeue_at?: string | null;
        opens_at?: string | null;
        ends_at?: string | null;
        time_zone?: string | null;
      } | null;
      when_idle?: "page" | "pass_through" | {
        redirect: string;
      } | null;
      when_ended?: "page" | "pass_through" | {
        redirect: string;
      } | null;
      links?: ({
        label: string | { [name: string]: string };
        url: string;
      })[] | "off" | null;
      next_sale?: {
        title: string | { [name: string]: string };
        starts_at: string;
        url: string;
      } | "off" | null;
      while_waiting?: string | { [name: string]: string } | "off" | null;
      max_waiting?: number | null;
      stock?: {
        show?: "nothing" | "warning" | "number";
        per_visitor?: number;
        returns?: boolean;
      } | "off" | null;
      draw?: {
        order?: "random" | "arrival" | null;
        beacon?: "none" | "drand" | null;
      } | null;
      admission?: {
        duration?: string | null;
        max_duration?: string | null;
        claim_within?: string | null;
        logins_per_admission?: number | null;
        addresses_per_admission?: number | null;
        first_visit_within?: string | null;
      } | null;
      admission_log?: {
        max_entries?: number | null;
      } | null;
      admission_events?: boolean | null;
      rehearsal?: boolean | null;
      push?: boolean | null;
      show_people?: boolean | null;
      moves?: "never" | "once" | "unlimited" | null;
      device_binding?: "none" | "offered" | "required" | null;
      when_away?: "hold" | "let_in" | null;
      check?: {
        type: "proof_of_work" | "challenge";
        challenge?: string | null;
        when_away?: "hold" | "let_in" | "proof_of_work";
        when?: "always" | "suspicious";
        share?: number;
        difficulty?: number;
        difficulty_max?: number;
        without_scripts?: "refuse" | "wait";
        wait?: string;
      } | "off" | null;
      joins_per_address?: {
        per_minute?: number;
        burst?: number;
        prequeue?: number | "off" | null;
        ranges?: ({
          range: string;
          limit: {
            per_minute?: number;
            burst?: number;
            prequeue?: number | "off";
          } | "off";
        })[] | null;
      } | "off" | null;
      address_rules?: ({
        name: string;
        action: "pass" | "queue" | "challenge" | "refuse";
        ranges: string[];
      })[] | "off" | null;
      waiting_status?: 200 | 202 | 429 | null;
    };
    SiteProbe: {
      url: string;
      interval?: string;
      timeout?: string;
    };
    SoftBlocks: {
      room: string;
      since: string;
      joined: number;
      refused: {
        rate: number;
        entries: number;
        network: number;
      };
      checked: {
        asked: number;
        slowed: number;
        passed: number;
        failed: number;
      };
      networks: ({
        range: string;
        rule: string | null;
        refused: {
          rate: number;
          entries: number;
          network: number;
        };
        checked: {
          asked: number;
          slowed: number;
          passed: number;
          failed: number;
        };
      })[];
    };
    Statistics: {
      room: string;
      from: string;
      to: string;
      step_seconds: number;
      steps: components["schemas"]["StatisticsStep"][];
    };
    StatisticsStep: {
      at: string;
      recorded_seconds: number;
      complete: boolean;
      loss: boolean;
      arrivals: number | null;
      served: number | null;
      admitted: {
        queue: number | null;
        bypass: number | null;
        without_line: number | null;
      };
      ended: {
        completed: number | null;
        abandoned: number | null;
        logged_out: number | null;
        revoked: number | null;
        expired: number | null;
      };
      no_shows: number | null;
      left: number | null;
      refused: {
        full: number | null;
        closed: number | null;
        too_many_from_address: number | null;
        unavailable: number | null;
        expired: number | null;
        left: number | null;
        ended: number | null;
        moved: number | null;
        void: number | null;
        exhausted: number | null;
        too_many_addresses: number | null;
        old_edition: number | null;
        too_many_entries: number | null;
        network_refused: number | null;
      };
      waiting: number | null;
      held: number | null;
      absent: number | null;
      live: number | null;
      limit_per_minute: number | null;
      rate_per_minute: number | null;
      site_latency_ms: number | null;
      site_error_rate: number | null;
      phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough" | null;
      pages_open: number | null;
      pages_open_margin: number | null;
    };
    Step: {
      serving: number;
      queued: number;
      waiting: number;
      edition: number;
      phase: "idle" | "prequeue" | "open" | "paused" | "ended" | "passthrough";
      exited?: number;
    };
    Theme: {
      id: string;
      places: string[];
      title: components["schemas"]["WordsByLanguage"] | null;
      logo: {
        alt: components["schemas"]["WordsByLanguage"];
        height: number;
        link: string | null;
        bytes: number;
        has_dark: boolean;
      } | null;
      colors: {
        light: components["schemas"]["Palette"];
        dark: components["schemas"]["Palette"];
      };
      chosen_colors: {
        light: components["schemas"]["ColorNames"];
        dark: components["schemas"]["ColorNames"];
      };
      texts: ({
        language: string;
        place: string;
        text: string | string[] | { [name: string]: string };
      })[];
      links: {
        href: string;
        label: components["schemas"]["WordsByLanguage"];
      }[];
      footer: components["schemas"]["WordsByLanguage"] | null;
      while_waiting: components["schemas"]["WordsByLanguage"] | null;
      has_own_views: boolean;
      issuers: string[];
      rooms: {
        room: string;
        is_usual: boolean;
        clients: string[];
        links: string[];
      }[];
    };
    UnknownRoom: {
      room: string;
      title: string;
      availability: "ready" | "recovering" | "away";
      issuer?: string;
      source?: "file" | "admin_api";
      status?: "active" | "shadowed" | "unusable";
      document?: { [name: string]: unknown } | null;
      created_at?: string | null;
      changed_at?: string | null;
      faults?: string[];
      homes?: components["schemas"]["RoomHome"][];
    };
    UnusedRoom: {
      room: string;
      issuer: string;
      source: "file" | "admin_api";
      status: "active" | "shadowed" | "unusable";
      document: { [name: string]: unknown } | null;
      created_at: string | null;
      changed_at: string | null;
      faults: string[];
      homes: components["schemas"]["RoomHome"][];
    };
    Visitor: {
      room: string;
      edition: number;
      state: "entered" | "waiting" | "served" | "admitted" | "expired" | "left" | "moved" | "unknown";
      may_also_be: ("entered" | "waiting" | "served" | "admitted" | "expired" | "left" | "moved" | "unknown")[];
      why: {
        code: string;
        values: { [name: string]: string | number | null };
        text: string;
      };
      sub: string | null;
      place: components["schemas"]["Place"] | null;
      place_edition: number | null;
      admission: components["schemas"]["Admission"] | null;
      history: ({
        event: "arrived" | "joined" | "served" | "expired" | "moved" | "admitted" | "ended";
        at: string | null;
        is_exact: boolean;
        detail: string | null;
      })[];
      availability: "ready" | "recovering" | "away";
      updated_at: string;
      age_seconds: number;
    };
    Webhook: {
      id: string;
      source: "file" | "admin_api";
      url: string;
      rooms: string[] | null;
      types: string[];
      format: "cloudevents" | "slack";
      enabled: boolean;
      note: string | null;
      secrets: ({
        created_at: string | null;
        expires_at: string | null;
      })[];
      created_by: string | null;
      created_at: string | null;
      changed_at: string | null;
    };
    WordsByLanguage: ({
      language: string | null;
      text: string;
    })[];
  };
}
