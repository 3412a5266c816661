export type { ConformanceOptions, ConformanceProtocol, CheckConformance } from "./conformance-options.ts";
