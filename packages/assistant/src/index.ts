export type { AssistantAnswer, Assistant, AssistantQuestion } from "./create-assistant.ts";
export { AssistantError, type AssistantLimits, failureSentences } from "./failure.ts";
export type { QuestionFile } from "./turn/question-files.ts";
export type { ThreadMemory, ThreadSummary } from "./memory/thread-memory.ts";
export {
  chooseModel,
  defaultModelIds,
  howToConnect,
  isModelProblem,
  type ModelChoice,
  type ModelSettings,
} from "./models/model-choice.ts";
export { hopsMeta, type McpOAuth, type McpServer } from "./mcp/mcp-server.ts";
export {
  fingerprintOf,
  type McpDefinition,
  type McpLeftOut,
  type McpList,
  type McpPins,
  type McpToolState,
} from "./mcp/read-tools.ts";
export type { AssistantTool, ObjectSchema, ToolCall, ToolResult } from "./tools/assistant-tool.ts";
export type { PendingCall } from "./tools/turn-state.ts";
export { type PausedState, type Permit, TurnPaused } from "./turn/paused-turn.ts";
export { isPriced } from "./usage-meter.ts";
export type { CallRecord, ReservedCall, ServedTool, Spending, ToolOutcome, TurnUsage } from "./usage-meter.ts";
