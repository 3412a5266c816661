import {
  type AssistantAnswer,
  AssistantError,
  type AssistantTool,
  type PausedState,
  type PendingCall,
  type Permit,
  type AssistantQuestion,
  type QuestionFile,
  type Spending,
  TurnPaused,
  type TurnUsage,
} from "@crosszone/assistant";
import type { McpServers } from "@crosszone/assistant/mcp";
import { type Attachment, type InputRequest, type ReportedUsage, threadFileIds, ZoneError } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import { retryTransient } from "@crosszone/sql";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ApprovalFor } from "../../people/approvals.ts";
import { type ActionCall, votersProblem, whyClosed } from "../../people/input-record.ts";
import {
  type Agent,
  type AgentAnswer,
  type AgentContext,
  type AgentTaskInput,
  type AwaitedInput,
  mayAsk,
  type RequestPlace,
  type RunInputs,
  TaskPaused,
} from "../agent.ts";
import { fitFiles } from "../answer-with.ts";
import { withReported } from "../result-answer.ts";
import type { ChooseAssistant } from "./assistant-settings.ts";
import type { ThreadSummaries } from "../conversations.ts";
import { toolsForAgents, mostTools } from "./assistant-tools.ts";

export const assistantName = "assistant";

/** Returns a tool with the approval that each of its calls needs, if any. */
function withApproval(
  tool: AssistantTool,
  { channel, user_id: requester }: RequestPlace,
  approvalFor: ApprovalFor,
): AssistantTool {
  const { name, sideEffects } = tool;
  const { needed, terms } = approvalFor({ agent: assistantName, tool: name, channel, sideEffects });
  if (!needed) return tool;
  const canBeGiven = (sources: ReadonlySet<string>): boolean =>
    votersProblem({ kind: "approve", decide: terms.decide, requester, not: [...sources] }) === undefined;
  return { ...tool, approval: { canBeGiven } };
}

/** Returns whether there are people who can answer what a tool asks. */
function canAsk({ channel, user_id: requester }: RequestPlace, approvalFor: ApprovalFor): boolean {
  const { terms } = approvalFor({ agent: assistantName, channel, sideEffects: true });
  return votersProblem({ kind: "form", decide: terms.decide, requester }) === undefined;
}

const actionOf = ({ tool, input }: PendingCall): ActionCall => ({ agent: assistantName, tool, arguments: input });

/** Returns what a paused turn waits for. */
function awaitedBy({ pending, sources }: PausedState): AwaitedInput[] {
  return pending.flatMap((call): AwaitedInput[] => {
    if (call.waits !== undefined) return call.waits.awaited as AwaitedInput[];
    const title = call.title.slice(0, 150).toWellFormed();
    return [{ key: call.key, kind: "approve", title, action: actionOf(call), not: sources }];
  });
}

/** Returns a function that judges a pending call by what people decided, and uses its approval. */
export function permitBy(turn: {
  readonly inputs: RunInputs;
  readonly tools: readonly AssistantTool[];
  readonly signal: AbortSignal;
}): (call: PendingCall) => Promise<Permit> {
  const { inputs, tools, signal } = turn;
  return async (call) => {
    const request = inputs.decided.get(call.key);
    if (request === undefined) return "wait";
    const { state } = request;
    if (state === "void") return "renew";
    if (state !== "approved" && state !== "used") return { instead: refusalBy(request) };
    // A use that was stored although the connection broke returns `again`.
    const verdict = await retryTransient(() => inputs.use(call.key, actionOf(call)), {
      budgetMs: Infinity,
      signal,
    });
    if (verdict === "changed" || verdict === "void") return "renew";
    if (verdict === "not_approved") return { instead: "Not called: it is not approved. Tell the person so." };
    const runsOnce = tools.some(({ name, runsOnce: once }) => name === call.tool && once === true);
    return verdict === "again" && runsOnce ? { instead: mayHaveRun } : "run";
  };
}

const mayHaveRun =
  "Not called again: the service stopped during the call, so it may have run. Tell the person to check before they ask for it again.";

/** Returns what the model gets instead of a call that people did not approve. */
function refusalBy(request: InputRequest) {
  const { state, votes, decided_at: at = "an unknown time", expires_at } = request;
  const why = whyClosed(request);
  if (state === "expired") return `Not called: no decision was made by ${expires_at}. Tell the person so.`;
  if (state !== "denied") return `Not called: its approval request was withdrawn${why ? ` (${why})` : ""}.`;
  if (why !== undefined) return `Not called: its approval was denied. ${why} Tell the person so.`;
  const by = votes.findLast(({ verdict }) => verdict === "deny");
  const because = by?.reason === undefined ? "without a reason" : `because: ${JSON.stringify(by.reason)}`;
  return `Not called: ${by?.user_id ?? "someone"} denied it at ${at} ${because}. Tell the person so.`;
}

/** How a task of the assistant continues when people have decided. */
interface Continuation {
  readonly turn: PausedState;
  readonly reported: readonly ReportedUsage[];
  readonly notes: readonly string[];
}

/**
 * Creates the agent that answers with a language model. Its tools are the other agents and the workflows that the requester
 * may ask, and MCP servers.
 */
export function createAssistantAgent(deps: {
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
  readonly approvalFor: ApprovalFor;
  readonly emit: Emit<ExecutionEvent>;
}): Agent {
  const { choose, modelLabel, listAgents, trusted, mcp, tracer, showDetail, memoryOf, spendingOf, approvalFor, emit } =
    deps;
  const uses = mcp === undefined ? "" : ` MCP servers: ${mcp.names.join(", ")}.`;
  return {
    name: assistantName,
    description: `Answers with a language model, ${modelLabel}, and calls other agents and workflows for you.${uses}`,
    skills: [],
    run: async (input, context) => {
      const { inputs } = context;
      const agents = (await listAgents()).filter(({ name }) => name !== assistantName && mayAsk(input, name));
      const reported: ReportedUsage[] = [];
      const allReported = () => (before?.reported ?? []).concat(reported);
      const onUsed = (used: readonly ReportedUsage[]) => void reported.push(...used);
      const ofAgents = await toolsForAgents(agents, { input, context, trusted, tracer, onUsed });
      const served = await mcp?.openTurn(context.signal, {
        agent: assistantName,
        channel: input.channel,
        hops: input.hops,
        decided: canAsk(input, approvalFor) ? (inputs?.decided ?? new Map()) : undefined,
      });
      const offered = ofAgents.concat(served?.tools ?? []).slice(0, mostTools);
      const tools = offered.map((tool) => withApproval(tool, input, approvalFor));
      const before = inputs?.continuation as Continuation | undefined;
      const permit = inputs && permitBy({ inputs, tools, signal: context.signal });
      const { signal, now, preview, traceparent } = context;
      const { task_id, correlation_id } = input;
      const notes = before?.notes.slice() ?? [];
      const spending = spendingOf(input, (note) => notes.push(note));
      const turn = {
        signal,
        now,
        preview,
        traceparent,
        memory: memoryOf(input),
        spending,
        resumed: before && permit && { state: before.turn, permit },
        // Whatever the task's outcome.
        onUsage: (usage: TurnUsage) => {
          const used = { task_id, correlation_id, ...withReported(usage, reported) };
          if (before === undefined || usage.input_tokens > 0 || reported.length > 0) emit("model_used", used);
        },
      };
      try {
        const { assistant, instructions } = await choose(input);
        const answer = await assistant.answer({ ...questionOf(input, context, tools), instructions }, turn);
        return { ...answerOf(answer, notes), usage: withReported(answer.usage, allReported()) };
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof TurnPaused) throw pauseOf({ turn: error.state, reported: allReported(), notes });
        throw error instanceof AssistantError ? zoneErrorOf(error, { showDetail }) : error;
      } finally {
        served?.close();
      }
    },
  };
}

function pauseOf(continuation: Continuation): TaskPaused {
  const { turn } = continuation;
  const agentWaits = turn.pending.some(({ waits }) => waits !== undefined);
  return new TaskPaused(awaitedBy(turn), { continuation, text: turn.text || undefined, agentWaits });
}

function answerOf({ text, files: made }: AssistantAnswer, notes: readonly string[]): AgentAnswer {
  const { files, leftOut } = fitFiles(made);
  const note = leftOut.length === 0 ? "" : `\n\nNot attached, too large: ${leftOut.join(", ")}.`;
  const below = notes.map((sentence) => `\n\n_${sentence}_`).join("");
  return { response_text: text + note + below, files: files.length > 0 ? files : undefined };
}

function questionOf(
  { text, thread, attachments, has_quotes, others, unreadable, ...asked }: AgentTaskInput,
  { readFile }: AgentContext,
  tools: readonly AssistantTool[],
): AssistantQuestion {
  const earlier = threadFileIds(thread);
  return {
    text,
    besides: { has_quotes, others, unreadable },
    thread,
    userId: asked.user_id,
    userName: asked.user_name,
    offeredBy: asked.offered_by,
    tools,
    files: attachments.map((file, index) => ({
      ...fileOf(file, index, readFile),
      isEarlier: earlier.has(file.id),
    })),
  };
}

function fileOf(
  { id, name, mime_type, size, text, author, unreadable }: Attachment,
  index: number,
  readFile: AgentContext["readFile"],
): QuestionFile {
  return {
    name: name ?? `file-${index + 1}`,
    author,
    unreadable,
    // The text is what the file says, such as the transcript of a voice clip.
    mediaType: text === undefined ? (mime_type ?? "application/octet-stream") : "text/plain",
    size: text === undefined ? size : undefined,
    read: async () => {
      if (text !== undefined) return new TextEncoder().encode(text);
      if (id === undefined) throw new Error("It came without an id, so it can't be fetched.");
      return readFile(id);
    },
  };
}

/**
 * Returns the error of a task whose model failed: a sentence for the requester and, with `showDetail`, details for the
 * operator. It names no agent, because the assistant is the zone's own.
 */
function zoneErrorOf(failure: AssistantError, { showDetail }: { readonly showDetail: boolean }): ZoneError {
  const { reason, isTransient, sentence, retryAfterMs, message } = failure;
  const isMisconfigured = reason === "invalid_key" || reason === "unknown_model" || reason === "rejected";
  const kind = isTransient ? "agent_unavailable" : isMisconfigured ? "agent_misconfigured" : "agent_failed";
  const data = { agent_says: sentence, retry_after_ms: retryAfterMs, owner_detail: showDetail ? message : undefined };
  return new ZoneError(kind, data, { cause: failure });
}
