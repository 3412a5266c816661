import type { Fault } from "../control/protocol.ts";

/** Stores faults for future calls. */
export interface FaultQueue {
  add(fault: Fault): void;
  /** Returns the fault for this call, if any; each call uses up one of its `times`. */
  next(method: string): Fault | undefined;
}

/** Makes a queue that uses faults in order; `*` matches every method. */
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
