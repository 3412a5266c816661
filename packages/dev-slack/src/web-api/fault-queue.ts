import type { Fault } from "../control/protocol.ts";

/** Faults that wait for the calls they spoil. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** The fault for this call, if one waits; each call uses up one of its `times`. */
  next(method: string): Fault | undefined;
}

/** Faults are used in the order they were set; `*` matches every method. */
export function createFaultQueue(): FaultQueue {
  const waiting: { fault: Fault; left: number }[] = [];
  return {
    add: (fault) => {
      waiting.push({ fault, left: fault.times ?? 1 });
    },
    next: (method) => {
      const index = waiting.findIndex(({ fault }) => fault.method === method || fault.method === "*");
      const entry = waiting[index];
      if (!entry) return undefined;
      if (--entry.left === 0) waiting.splice(index, 1);
      return entry.fault;
    },
  };
}
