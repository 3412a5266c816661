export type { AgentOptions, CallerRequest, Skill } from "./agent-options.ts";
export { createAgent, type Agent } from "./create-agent.ts";
export {
  UserError,
  type Answer,
  type Handler,
  type Message,
  type MessageFile,
  type Task,
  type Usage,
} from "./handler.ts";
export type { NodeListener } from "./http/node-listener.ts";
export { serve, type RunningAgent, type ServeOptions } from "./serve.ts";
