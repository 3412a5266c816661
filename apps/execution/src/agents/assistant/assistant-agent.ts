import {
  type Answer,
  AssistantError,
  type AssistantTool,
  type Question,
  type QuestionFile,
  type Spending,
  type TurnUsage,
  type FailureReason,
} from "@crosszone/assistant";
import type { McpServers } from "@crosszone/assistant/mcp";
import { type Attachment, type ReportedUsage, ZoneError, type ErrorKind } from "@crosszone/contracts";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Agent, AgentAnswer, AgentContext, AgentTaskInput } from "../agent.ts";
import { fitFiles } from "../answers/answer-with.ts";
import { withReported } from "../answers/reported-usage.ts";
import { agentTools, mostTools } from "./agent-tools.ts";
import type { ChooseAssistant } from "./settings/choose-assistant.ts";
import type { ThreadSummaries } from "./sql-thread-summaries.ts";

/** The name of the assistant agent. */
export const assistantName = "assistant";

export interface AssistantAgentDeps {
  readonly choose: ChooseAssistant;
  /** Display name: `claude-sonnet-4-6 (Anthropic)`. */
  readonly modelLabel: string;
  /** Returns the agents and workflows that the model can call at this moment. */
  readonly listAgents: () => Promise<readonly Agent[]>;
  /** Agents of this zone that compute from their input alone. */
  readonly trusted: ReadonlySet<string>;
  /** MCP servers whose tools the model can call, and their names. */
  readonly mcp: McpServers | undefined;
  /** Records the agents that the model calls. */
  readonly tracer: Tracer;
  /** Includes the provider's error message in the error for the caller, for the operator. */
  readonly showDetail: boolean;
  /** Remembers threads that exceed the model's context. */
  readonly memoryOf: ThreadSummaries["memoryOf"];
  /** Pays for the model calls of a task. `onNote` receives sentences for the requester. */
  readonly spendingOf: (task: AgentTaskInput, onNote: (sentence: string) => void) => Spending;
  readonly emit: Emit<ExecutionEvent>;
}

/**
 * Creates the agent that answers with a language model. Its tools are the other agents, the workflows and MCP servers.
 */
export function createAssistantAgent(deps: AssistantAgentDeps): Agent {
  const { choose, modelLabel, listAgents, trusted, mcp, tracer, showDetail, memoryOf, spendingOf, emit } = deps;
  const uses = mcp === undefined ? "" : ` MCP servers: ${mcp.names.join(", ")}.`;
  return {
    name: assistantName,
    description: `Answers with a language model, ${modelLabel}, and calls other agents and workflows for you.${uses}`,
    skills: [],
    run: async (input, context) => {
      const agents = (await listAgents()).filter(({ name }) => name !== assistantName);
      const reported: ReportedUsage[] = [];
      const onUsed = (used: readonly ReportedUsage[]) => void reported.push(...used);
      const ofAgents = await agentTools(agents, { input, context, trusted, tracer, onUsed });
      const served = await mcp?.openTurn(context.signal);
      const tools = [...ofAgents, ...(served?.tools ?? [])].slice(0, mostTools);
      const { signal, now, preview, traceparent } = context;
      const { task_id, correlation_id } = input;
      const notes: string[] = [];
      const spending = spendingOf(input, (note) => notes.push(note));
      const turn = {
        signal,
        now,
        preview,
        traceparent,
        memory: memoryOf(input),
        spending,
        // Whatever the task's outcome.
        onUsage: (usage: TurnUsage) =>
          emit("model_used", { task_id, correlation_id, ...withReported(usage, reported) }),
      };
      try {
        const { assistant, instructions } = await choose(input);
        const answer = await assistant.answer({ ...questionOf(input, context, tools), instructions }, turn);
        return { ...answerOf(answer, notes), usage: withReported(answer.usage, reported) };
      } catch (error) {
        signal.throwIfAborted();
        throw error instanceof AssistantError ? zoneErrorOf(error, { showDetail }) : error;
      } finally {
        served?.close();
      }
    },
  };
}

function answerOf({ text, files: made }: Answer, notes: readonly string[]): AgentAnswer {
  const { files, leftOut } = fitFiles(made);
  const note = leftOut.length === 0 ? "" : `\n\nNot attached, too large: ${leftOut.join(", ")}.`;
  const below = notes.map((sentence) => `\n\n_${sentence}_`).join("");
  return { response_text: text + note + below, files: files.length > 0 ? files : undefined };
}

/** Converts a task into the assistant's question. */
function questionOf(
  { text, thread, attachments, user_id: userId }: AgentTaskInput,
  { readFile }: AgentContext,
  tools: readonly AssistantTool[],
): Question {
  return { text, thread, userId, tools, files: attachments.map((file, index) => fileOf(file, index, readFile)) };
}

function fileOf(
  { id, name, mime_type, size, text }: Attachment,
  index: number,
  readFile: AgentContext["readFile"],
): QuestionFile {
  return {
    name: name ?? `file-${index + 1}`,
    mediaType: mime_type ?? "application/octet-stream",
    size,
    read: async () => {
      if (text !== undefined) return new TextEncoder().encode(text);
      if (id === undefined) throw new Error("It came without an id, so it can't be fetched.");
      return readFile(id);
    },
  };
}

/** The error kind for the caller, by the model's failure. */
export const failureKinds = {
  overloaded: "agent_unavailable",
  quota: "agent_failed",
  unreachable: "agent_unavailable",
  unavailable: "agent_unavailable",
  invalid_key: "agent_misconfigured",
  unknown_model: "agent_misconfigured",
  context_too_long: "agent_failed",
  unsupported_file: "agent_failed",
  refused: "agent_failed",
  rejected: "agent_misconfigured",
  silent: "agent_unavailable",
  interrupted: "agent_unavailable",
  output_limit: "agent_failed",
  step_limit: "agent_failed",
  budget: "agent_failed",
  no_answer: "agent_failed",
  internal: "agent_failed",
} as const satisfies Record<FailureReason, ErrorKind>;

/**
 * Returns the error of a task whose model failed: a sentence for the requester and, with `showDetail`, details for the
 * operator. It names no agent, because the assistant is the zone's own.
 */
export function zoneErrorOf(failure: AssistantError, { showDetail }: { readonly showDetail: boolean }): ZoneError {
  const { reason, sentence, retryAfterMs, message } = failure;
  const data = { agent_says: sentence, retry_after_ms: retryAfterMs, owner_detail: showDetail ? message : undefined };
  return new ZoneError(failureKinds[reason], data, { cause: failure });
}
