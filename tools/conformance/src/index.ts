export { checkConformance } from "./check-conformance.ts";
export { checklist, type ChecklistItem } from "./checklist.ts";
export type { ConformanceOptions, ConformanceProtocol } from "./check.ts";
