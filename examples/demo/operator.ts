/** What the demonstration's page of the line does at Usher, by the admin API: as an operator's own script would. */
export interface Operator {
  /** Lets the next `count` places in. */
  admit(count: number): Promise<void>;
  /** Voids all places, and begins anew at the first. */
  reset(): Promise<void>;
  /** The room as everyone may see it. */
  look(): Promise<RoomFigures>;
}

export interface RoomFigures {
  readonly phase: string;
  readonly serving: number;
  readonly queued: number;
  readonly waiting: number;
}

export interface OperatorOptions {
  issuer: string;
  room: string;
  /** Never leaves this process. */
  adminKey: string;
}

const TIMEOUT_MS = 5_000;

export function createOperator({ issuer, room, adminKey }: OperatorOptions): Operator {
  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${issuer}${path}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response;
  }

  async function order(step: string, body: object = {}): Promise<void> {
    const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" };
    await ask(`/admin/rooms/${room}/${step}`, { method: "POST", headers, body: JSON.stringify(body) });
  }

  return {
    admit: (count) => order("serving", { increment_by: count }),
    reset: () => order("reset"),
    look: async () => (await ask(`/rooms/${room}/status`)).json() as Promise<RoomFigures>,
  };
}
