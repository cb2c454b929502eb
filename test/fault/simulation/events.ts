/** What happens at a moment of the simulated time. May itself plan what comes later. */
export interface Action {
  run(nowMs: number): Promise<void> | void;
}

/**
 * What is going to happen, by time: a binary heap in two arrays, since there may be a million entries. Times are whole
 * milliseconds. Entries of the same millisecond come in an order that depends on nothing but the entries.
 */
export class EventQueue {
  readonly #times: number[] = [];
  readonly #actions: Action[] = [];

  get size(): number {
    return this.#times.length;
  }

  /** When the next thing happens; Infinity when nothing does. */
  get nextMs(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY;
  }

  at(timeMs: number, action: Action): void {
    const time = Math.ceil(timeMs);
    const times = this.#times;
    const actions = this.#actions;
    let index = times.length;
    times.push(time);
    actions.push(action);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const parentTime = times[parent] as number;
      if (parentTime <= time) break;
      times[index] = parentTime;
      actions[index] = actions[parent] as Action;
      index = parent;
    }
    times[index] = time;
    actions[index] = action;
  }

  call(timeMs: number, run: (nowMs: number) => Promise<void> | void): void {
    this.at(timeMs, { run });
  }

  pop(): Action | undefined {
    const times = this.#times;
    const actions = this.#actions;
    const first = actions[0];
    const time = times.pop();
    const action = actions.pop();
    if (time === undefined || action === undefined || times.length === 0) return first;
    const length = times.length;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      if (child + 1 < length && (times[child + 1] as number) < (times[child] as number)) child++;
      const childTime = times[child] as number;
      if (childTime >= time) break;
      times[index] = childTime;
      actions[index] = actions[child] as Action;
      index = child;
    }
    times[index] = time;
    actions[index] = action;
    return first;
  }

  clear(): void {
    this.#times.length = 0;
    this.#actions.length = 0;
  }
}
