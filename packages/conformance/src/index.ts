export { checkConformance } from "./check-conformance.ts";
export { checklist, type ChecklistItem } from "./checks/checks.ts";
export type { ConformanceOptions, ConformanceProtocol, CheckConformance } from "./conformance-options.ts";
