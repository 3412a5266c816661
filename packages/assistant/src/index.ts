export type { Answer, Assistant, Question } from "./assistant.ts";
export { AssistantError, failureReasons, failureSentences, type FailureReason } from "./failure.ts";
export { defaultLimits, type AssistantLimits, type AssistantObserver } from "./limits.ts";
export type { AnswerPreview, TurnContext } from "./turn/turn-context.ts";
export { readableFiles, type QuestionFile, type RefusedFile } from "./turn/question-files.ts";
export type { CoveredMessage, ThreadMemory, ThreadSummary } from "./memory/thread-memory.ts";
export {
  chooseModel,
  defaultModelIds,
  isModelProblem,
  type ModelChoice,
  type ModelProblem,
  type ModelSettings,
  type ProviderName,
} from "./models/model-choice.ts";
export {
  fingerprintOf,
  type McpDefinition,
  type McpObserver,
  type McpPins,
  type McpServer,
  type McpToolState,
} from "./mcp/mcp-server.ts";
export type { CallSpan, CallTracer } from "./calls/call-tracer.ts";
export type { AssistantTool, MadeFile, ObjectSchema, ToolCall, ToolResult } from "./tools/assistant-tool.ts";
export { isPriced } from "./usage/tokens.ts";
export type { CallCost, CallRecord, ReservedCall, Spending, TurnUsage } from "./usage/usage-meter.ts";
