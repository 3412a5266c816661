import { currentLife, runIn, type Life } from "./life.ts";

/** Something that will happen. */
export interface Entry {
  at: number;
  order: number;
  readonly life: Life | undefined;
  run: (() => void) | undefined;
}

/** The real one: lets everything run that needs no timer. */
const turn = globalThis.setImmediate;

/** All that will happen, by its time; within one millisecond in the order in which it was planned. */
export interface Agenda {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Plans something for the process that asks. */
  readonly plan: (afterMs: number, run: () => void) => Entry;
  readonly cancel: (entry: Entry) => void;
  /** Lets time pass until `isOver`, looked at after each event, or until nothing is planned. */
  readonly pass: (isOver: () => boolean) => Promise<void>;
  /** Forgets everything, and begins at this time. */
  readonly begin: (at: number) => void;
}

export function createAgenda(): Agenda {
  let now = 0;
  let order = 0;
  let heap: Entry[] = [];
  const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

  function push(entry: Entry): void {
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  function pop(): Entry | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || last === first) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Entry, heap[child] as Entry)) child += 1;
      if (!isBefore(heap[child] as Entry, last)) break;
      heap[at] = heap[child] as Entry;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  return {
    now: () => now,
    plan: (afterMs, run) => {
      const entry: Entry = { at: now + Math.max(0, afterMs), order: (order += 1), life: currentLife(), run };
      push(entry);
      return entry;
    },
    cancel: (entry) => {
      entry.run = undefined;
    },
    pass: async (isOver) => {
      for (;;) {
        await new Promise((resolve) => turn(resolve));
        if (isOver()) return;
        let next = pop();
        while (next !== undefined && (next.run === undefined || next.life?.isAlive === false)) next = pop();
        if (next === undefined) return;
        now = Math.max(now, next.at);
        const { life, run } = next;
        if (life !== undefined && life.frozenUntil > now) {
          next.at = life.frozenUntil;
          push(next);
          continue;
        }
        next.run = undefined;
        if (run !== undefined) runIn(life, run);
      }
    },
    begin: (at) => {
      [now, order, heap] = [at, 0, []];
    },
  };
}
