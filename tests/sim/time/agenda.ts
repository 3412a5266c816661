import { currentLife, runIn, type Life } from "./life.ts";

/** An event that will happen. */
export interface Entry {
  at: number;
  order: number;
  readonly life: Life | undefined;
  run: (() => void) | undefined;
}

/** The real `setImmediate`: it lets everything run that needs no timer. */
const turn = globalThis.setImmediate;

/** All future events by their time. Events of the same millisecond keep the order in which they were planned. */
export interface Agenda {
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Plans an event for the process that calls this. */
  readonly plan: (afterMs: number, run: () => void) => Entry;
  readonly cancel: (entry: Entry) => void;
  /** Lets time pass until `isOver`, which is checked after each event, or until no event is left. */
  readonly pass: (isOver: () => boolean) => Promise<void>;
  /** Forgets all events and sets the time, Unix milliseconds. */
  readonly begin: (at: number) => void;
}

export function createAgenda(): Agenda {
  let now = 0;
  let order = 0;
  let heap = createHeap();

  /** Returns the next event of a process that still lives. */
  function next(): Entry | undefined {
    let entry = heap.pop();
    while (entry !== undefined && (entry.run === undefined || entry.life?.isAlive === false)) entry = heap.pop();
    return entry;
  }

  return {
    now: () => now,
    plan: (afterMs, run) => {
      const entry: Entry = { at: now + Math.max(0, afterMs), order: (order += 1), life: currentLife(), run };
      heap.push(entry);
      return entry;
    },
    cancel: (entry) => {
      entry.run = undefined;
    },
    pass: async (isOver) => {
      for (;;) {
        await new Promise((resolve) => turn(resolve));
        if (isOver()) return;
        const entry = next();
        if (entry === undefined) return;
        now = Math.max(now, entry.at);
        const { life, run } = entry;
        if (life !== undefined && life.frozenUntil > now) {
          entry.at = life.frozenUntil;
          heap.push(entry);
          continue;
        }
        entry.run = undefined;
        if (run !== undefined) runIn(life, run);
      }
    },
    begin: (at) => {
      [now, order, heap] = [at, 0, createHeap()];
    },
  };
}

const isBefore = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Creates a binary heap whose first entry is the earliest. */
function createHeap() {
  const heap: Entry[] = [];
  return {
    push: (entry: Entry): void => {
      let at = heap.push(entry) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!isBefore(entry, heap[parent] as Entry)) break;
        heap[at] = heap[parent] as Entry;
        at = parent;
      }
      heap[at] = entry;
    },
    pop: (): Entry | undefined => {
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
    },
  };
}
