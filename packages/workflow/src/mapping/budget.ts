import { WorkflowFault } from "../workflow-fault.ts";

/** Largest result of one mapping, about the characters of its JSON. A few references could otherwise exceed the memory. */
const most = 10_000_000;

/** Returns a function that counts the values inserted into one mapping. It throws a WorkflowFault when they exceed the limit. */
export function createBudget(): (value: unknown) => void {
  let left = most;
  return (value) => {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      left -= typeof next === "string" ? next.length + 1 : 1;
      if (left < 0) throw new WorkflowFault("mapping_failed", `The mapping exceeds ${most} characters`);
      if (typeof next !== "object" || next === null) continue;
      if (!Array.isArray(next)) left -= Object.keys(next).join("").length;
      for (const member of Object.values(next)) waiting.push(member);
    }
  };
}
