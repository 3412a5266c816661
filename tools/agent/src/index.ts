export {
  UserError,
  type AgentOptions,
  type Answer,
  type CallerRequest,
  type Handler,
  type Message,
  type MessageFile,
  type NodeListener,
  type Skill,
  type TaskHandle,
  type Usage,
} from "./agent-definition.ts";
export { createAgent, type AgentServer, serve, type RunningAgent, type ServeOptions } from "./create-agent.ts";
