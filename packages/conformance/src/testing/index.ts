export { createGoodAgent, type Deviation } from "./good-agent.ts";
export { createSimpleFixture } from "./good-simple-agent.ts";
export { knownBad } from "./known-bad.ts";
export type { KnownBad } from "./known-bad-agent.ts";
export { serveFixture } from "./serve-fixture.ts";
