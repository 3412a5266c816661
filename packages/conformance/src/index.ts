export { checkConformance } from "./check-conformance.ts";
export type { ConformanceOptions, ConformanceProtocol, CheckConformance } from "./conformance-options.ts";
