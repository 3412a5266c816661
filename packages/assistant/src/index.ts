export {
  defaultLimits,
  type Answer,
  type AnswerPreview,
  type Assistant,
  type AssistantLimits,
  type AssistantObserver,
  type Question,
  type TurnContext,
} from "./assistant.ts";
export { AssistantError, failureReasons, failureSentences, type FailureReason } from "./failure.ts";
export { readableFiles, type QuestionFile, type RefusedFile } from "./files/question-file.ts";
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
export { fingerprintOf } from "./mcp/fingerprint.ts";
export type { McpDefinition, McpObserver, McpPins, McpServer, McpToolState } from "./mcp/mcp-server.ts";
export type { CallSpan, CallTracer } from "./spans/call-tracer.ts";
export type { AssistantTool, MadeFile, ObjectSchema, ToolCall, ToolResult } from "./tools/assistant-tool.ts";
export { isPriced } from "./usage/cost-of.ts";
export type { CallCost, CallRecord, ReservedCall, Spending } from "./usage/spending.ts";
export type { TurnUsage } from "./usage/usage-meter.ts";
