export { checkConformance } from "./check-conformance.ts";
export { checklist, type ChecklistItem } from "./checks/checks.ts";
export type { ConformanceOptions, ConformanceProtocol } from "./check.ts";
