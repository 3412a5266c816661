export { agentsFile } from "./agents-file.ts";
export { faults, type Fault } from "./faults/faults.ts";
export type { AskedOf, Switchboard } from "./faults/switchboard.ts";
export { samples } from "./samples/samples.ts";
export type { SampleAgent } from "./samples/sample-agent.ts";
export { startDevAgents, type DevAgents, type DevAgentsOptions } from "./start-dev-agents.ts";
