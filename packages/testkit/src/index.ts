export {
  startAgentCoreStandIn,
  type AgentCoreStandIn,
  type SeenCall,
  type StandInOptions,
} from "./agentcore/agentcore-stand-in.ts";
export type { AwsRefusal } from "./agentcore/aws-refusal.ts";
export type { Behaviour } from "./agentcore/behaviour.ts";
export type { Ping } from "./agentcore/ping.ts";
export type { AwsCredentials } from "./agentcore/signature.ts";
export { transportContract, type Connect } from "./transport-contract.ts";
