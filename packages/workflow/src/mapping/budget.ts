import { WorkflowFault } from "../workflow-fault.ts";

/** What one mapping may come to, about the characters of its JSON: a few references could ask for more than a process can hold. */
const most = 10_000_000;

/** Counts what references put into one mapping; the function that is given throws a WorkflowFault when that is too much. */
export function createBudget(): (value: unknown) => void {
  let left = most;
  return (value) => {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      left -= typeof next === "string" ? next.length + 1 : 1;
      if (left < 0) throw new WorkflowFault("mapping_failed", `The mapping comes to more than ${most} characters`);
      if (typeof next !== "object" || next === null) continue;
      if (!Array.isArray(next)) left -= Object.keys(next).join("").length;
      for (const member of Object.values(next)) waiting.push(member);
    }
  };
}
