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
  type Task,
  type Usage,
} from "./agent-definition.ts";
export { createAgent, type Agent } from "./create-agent.ts";
export { serve, type RunningAgent, type ServeOptions } from "./serve.ts";
