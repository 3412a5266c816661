import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { steadyNow, systemClock, unlessAborted } from "@crosszone/service-kit/timing";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { createDiscovery } from "../discovery/discovery.ts";
import { type BridgeEmit, failedFields } from "../events/agent-events.ts";
import type { CircuitBreakers } from "../limits/circuit-breakers.ts";
import { AgentFailure, asFailure, ProtocolTranslationError } from "../protocol/agent-failure.ts";
import { hitlResponseIn } from "../protocol/hitl-extension.ts";
import type { NormalizedResult } from "../protocol/protocol-adapter.ts";
import type { AgentCaller, CallEnd } from "./agent-caller.ts";
import { followTask, lookAgain, stopAtAgent } from "./follow-task.ts";
import { type CallTime, omittedFiles, openCall, type OpenCall, type Step } from "./open-call.ts";
import { hasActed, openQuestion, sendTask } from "./send-task.ts";

export interface AgentCallerDeps {
  readonly adapters: Adapters;
  readonly client: AgentClient;
  readonly breakers: CircuitBreakers;
  readonly emit: BridgeEmit;
  /** A rate limit of retries, by agent name; 50 at once and ten a second when absent. Retries wait for a token. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = { ...systemClock, now: steadyNow, random: Math.random };

/**
 * Creates the caller. It sends a task to an agent, retries temporary failures, and follows the task until it ends. When the agent rejects
 * how it was called, the caller tries the other ways (`nextWay`).
 */
export function createAgentCaller(deps: AgentCallerDeps): AgentCaller {
  const { adapters, client, breakers, emit, retryTokens, time = realTime } = deps;
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const discovery = createDiscovery(client, adapters, time.now);
  const parts = { client, breakers, discovery, tokens, emit, time };

  const call: AgentCaller["call"] = async (task, agent, options) => {
    const startedAt = performance.now();
    const { run_id, task_id, agent_name, correlation_id } = task;
    const { signal, traceparent } = options;
    const ids = { run_id, task_id, agent_name, correlation_id, traceparent, protocol: agent.protocol };
    let now: OpenCall | undefined;
    const effort = () => ({
      ...(now?.ids ?? ids),
      attempt: now?.attempts ?? 0,
      duration_ms: performance.now() - startedAt,
    });
    const end = ({ output, error }: NormalizedResult): CallEnd => {
      const fields = effort();
      if (error === null) emit("agent_call_ended", { ...fields, status: "success", output });
      // Already reported, with the response.
      else if (error instanceof ProtocolTranslationError)
        emit("agent_call_ended", { ...fields, status: "error", kind: error.kind });
      else emit("agent_call_failed", { ...fields, ...failedFields(error) });
      const filesLeftOut = now && omittedFiles(task, now.task);
      return { output, failure: error ?? undefined, attempts: fields.attempt, filesLeftOut };
    };
    try {
      now = await openCall(parts, { ids, task, registered: agent, options });
      for (;;) {
        const { question, instead } = await openQuestion(now);
        let step: Step = instead ?? (await sendTask(now, question));
        now = step.call;
        signal.throwIfAborted();
        if (step.result === undefined) {
          // The agent works on the task, and the next process has to find it there.
          if (now.stored !== undefined) await unlessAborted(now.stored, signal);
          step = await followTask(now, question);
          now = step.call;
          signal.throwIfAborted();
        }
        step = nextWay(await lookAgain(step));
        signal.throwIfAborted();
        now = step.call;
        if (step.result === undefined) continue;
        if (step.result.error?.kind === "deadline_exceeded") void stopAtAgent(now);
        return end(step.result);
      }
    } catch (reason) {
      if (now === undefined && !signal.aborted)
        return end({ task_id, status: "error", output: null, error: asFailure(reason) });
      if (reason instanceof AgentFailure && now !== undefined) void stopAtAgent(now);
      emit("agent_call_aborted", { ...effort(), because: reason instanceof Error ? reason.message : String(reason) });
      throw reason;
    }
  };
  return { call };
}

/**
 * Returns the call as it is tried next after its result, or the result when the call has ended with it:
 * - An agent that refuses to continue the task that waits for an answer gets the message as a new task, but never a structured answer.
 * - An agent that rejects the files of a task gets the message without them.
 * - An agent that refuses the context id, which it has forgotten or wants to choose itself, gets the message in a new context.
 * - An agent whose protocol is `auto` is called in the other version of A2A when it rejects the method or version: its card may be outdated
 *   or wrong.
 */
function nextWay({ call, result }: Step): Step {
  const { task, ids, adapter, discovery, otherVersion } = call;
  const error = result?.error ?? null;
  if (error === null) return { call, result };
  const isWrongVersion = isOtherVersion(error);
  const { open_task_id, ...asNew } = task;
  const isText = hitlResponseIn(task) === undefined;
  const isRefused = error.kind === "rpc_error" && !isWrongVersion && call.remoteId === undefined;
  if (open_task_id !== undefined && isRefused && isText) return { call: { ...call, task: asNew } };
  const again = { ...call, streams: call.offersStreams, remoteId: undefined };
  if (rejectsFiles(call, error)) return { call: { ...again, task: { ...task, files: [] } } };
  const { context_id, ...inNewContext } = task;
  if (context_id !== undefined && isText && refusesContext(call, error))
    return { call: { ...again, task: inNewContext } };
  if (call.registered.protocol !== "auto" || !isWrongVersion || result === undefined) return { call, result };
  if (otherVersion !== undefined)
    return { call: { ...call, adapter: otherVersion.adapter, ids: otherVersion.ids }, result: otherVersion.result };
  discovery.forget(call.agent);
  const other = discovery.otherVersion(adapter);
  const next = { adapter: other, ids: { ...ids, protocol: other.protocol } };
  return { call: { ...call, ...next, otherVersion: { adapter, ids, result } } };
}

/** Method not found, or A2A's VersionNotSupported: the agent did not accept the task. */
const isOtherVersion = ({ kind, code }: AgentFailure): boolean =>
  kind === "rpc_error" && (code === -32_601 || code === -32_009);

/** A2A's ContentTypeNotSupportedError, or the agent's words about a part. */
function rejectsFiles(call: OpenCall, { kind, code, message }: AgentFailure): boolean {
  if (hasActed(call) || (call.task.files ?? []).length === 0) return false;
  if (kind === "rpc_error" && code === -32_005) return true;
  if (!rejections.has(kind) || (kind !== "rpc_error" && call.agent.side_effects === true)) return false;
  return aboutFiles.test(message) && /not (be )?(supported|accepted|allowed)|unsupported/i.test(message);
}

/** TaskNotFoundError of a message that continues no task, or the agent's words about the context. */
function refusesContext(call: OpenCall, { kind, code, message, data }: AgentFailure): boolean {
  if (hasActed(call) || call.task.open_task_id !== undefined) return false;
  if (kind === "rpc_error" && code === -32_001 && call.remoteId === undefined) return true;
  const isRefusal = kind === "rpc_error" || kind === "http_error";
  return aboutContext.test(isRefusal ? `${message} ${JSON.stringify(data)}` : kind === "task_rejected" ? message : "");
}

const aboutContext =
  /\bcontext[ _-]?ids?\b|\b(unknown|invalid|no such|expired) (context|session|conversation)\b|\b(context|session|conversation)\b.{0,80}\b(not found|unknown|invalid|expired|not exist)/i;
const aboutFiles = /\b(files?|attachments?|parts?|(media|mime|content)[ -]?types?)\b/i;
const rejections: ReadonlySet<string> = new Set(["rpc_error", "task_failed", "task_rejected"]);
