export { createGoodAgent, type Deviation } from "./good-agent.ts";
export { createSimpleFixture } from "./good-simple-agent.ts";
export { knownBad } from "./bad-behavior.ts";
export type { KnownBad } from "./deviations.ts";
export { serveFixture } from "./serve-fixture.ts";
