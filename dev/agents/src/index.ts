export { agentsFile } from "./start-dev-agents.ts";
export { faults, type Fault } from "./faults/switchboard.ts";
export type { ReceivedRequest, Switchboard } from "./faults/switchboard.ts";
export { samples } from "./samples/samples.ts";
export type { SampleAgent } from "./samples/samples.ts";
export { startDevAgents, type DevAgents, type DevAgentsOptions } from "./start-dev-agents.ts";
