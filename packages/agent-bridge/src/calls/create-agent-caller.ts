import { setTimeout as sleep } from "node:timers/promises";
import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { AgentFailure } from "../agent-failure.ts";
import type { Adapters } from "../adapters/adapters.ts";
import type { NormalisedResult } from "../adapters/protocol-adapter.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { createDiscovery } from "../discovery/create-discovery.ts";
import { namesOfOthers, takenBy } from "../discovery/taken-files.ts";
import type { AgentCaller, CallEnd } from "./agent-caller.ts";
import { asFailure } from "./as-failure.ts";
import { askAgent } from "./ask-agent.ts";
import { followTask } from "./follow-task.ts";
import type { CallParts, CallWay, OpenCall } from "./open-call.ts";
import type { CallTime } from "./pauses.ts";
import { isStill, remember, tellProgress } from "./readings.ts";
import { sendTask } from "./send-task.ts";
import { stopAtAgent } from "./stop-at-agent.ts";

/** Dependencies of an agent caller. */
export interface AgentCallerDeps extends Omit<CallParts, "time"> {
  readonly adapters: Pick<Adapters, "adapterOf">;
  readonly client: Pick<AgentClient, "post" | "stream" | "fetchCard">;
  /** A rate limit of retries, by agent name; 50 at once and ten a second when absent. Retries wait for a token. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** A call before discovery determines the protocol and URL. */
type CallPlan = Omit<OpenCall, keyof CallWay | "rediscover"> & Pick<OpenCall, "ids" | "task" | "agent">;

/** Creates the caller. It sends a task to an agent, retries temporary failures, and follows the task until it ends. */
export function createAgentCaller({ adapters, retryTokens, time = realTime, ...parts }: AgentCallerDeps): AgentCaller {
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const discovery = createDiscovery({ client: parts.client, adapters, now: time.now });
  const { observer } = parts;

  /** Returns the protocol and URL according to the current card. */
  async function chooseWay({ ids, agent: registered, task, options }: CallPlan): Promise<CallWay> {
    const { adapter, agent, card, isGuess } = await discovery.discover(registered, options.signal);
    const { protocol } = adapter;
    const streams = card?.streaming ?? false;
    return { ids: { ...ids, protocol }, adapter, agent, task: takenBy(card, task), streams, isGuess };
  }

  async function open(plan: CallPlan): Promise<OpenCall> {
    const call: OpenCall = {
      ...plan,
      ...(await chooseWay(plan)),
      rediscover: async () => {
        if (call.isGuess) Object.assign(call, await chooseWay({ ...plan, task: call.task }));
      },
    };
    return call;
  }

  /** When an agent refuses to continue the task it asked about, the message is sent as a new task. */
  async function runInAContext(call: OpenCall): Promise<NormalisedResult> {
    const result = await run(call, tokens);
    const { open_task_id, ...task } = call.task;
    if (open_task_id === undefined || call.remoteId !== undefined || result.error?.kind !== "rpc_error") return result;
    if (isOtherVersion(result)) return result;
    call.task = task;
    return await run(call, tokens);
  }

  /** A card may be outdated or wrong: when the agent rejects the method or version, the other version is tried. */
  async function runInAVersion(call: OpenCall, isAuto: boolean): Promise<NormalisedResult> {
    const result = await runInAContext(call);
    if (!isAuto || !isOtherVersion(result)) return result;
    discovery.forget(call.agent);
    const { adapter, ids } = call;
    call.adapter = discovery.otherVersion(adapter);
    call.ids = { ...ids, protocol: call.adapter.protocol };
    const other = await runInAContext(call);
    if (!isOtherVersion(other)) return other;
    Object.assign(call, { adapter, ids });
    return result;
  }

  return {
    call: async (task, agent, options) => {
      const startedAt = performance.now();
      const { run_id, task_id, agent_name, correlation_id } = task;
      const { traceparent, remoteId } = options;
      const ids = { run_id, task_id, agent_name, correlation_id, traceparent, protocol: agent.protocol };
      let call: OpenCall | undefined;
      const lasted = (): { attempts: number; durationMs: number } => ({
        attempts: call?.attempts ?? 0,
        durationMs: performance.now() - startedAt,
      });
      const end = (result: NormalisedResult): CallEnd => {
        observer.callEnded(call?.ids ?? ids, { ...lasted(), result });
        const filesLeftOut = call === undefined ? [] : namesOfOthers(task, call.task);
        return {
          output: result.output,
          failure: result.error ?? undefined,
          attempts: lasted().attempts,
          ...(filesLeftOut.length > 0 && { filesLeftOut }),
        };
      };
      try {
        call = await open({ ...parts, time, ids, task, agent, options, attempts: 0, remoteId });
        const result = await runInAVersion(call, agent.protocol === "auto");
        if (result.error?.kind === "deadline_exceeded") void stopAtAgent(call);
        return end(result);
      } catch (reason) {
        if (call === undefined && !options.signal.aborted)
          return end({ task_id, status: "error", output: null, error: asFailure(reason) });
        if (reason instanceof AgentFailure && call !== undefined) void stopAtAgent(call);
        observer.callAborted(call?.ids ?? ids, { ...lasted(), reason });
        throw reason;
      }
    },
  };
}

/** Method not found, or A2A's VersionNotSupported: the agent did not accept the task. */
function isOtherVersion({ error }: NormalisedResult): boolean {
  return error?.kind === "rpc_error" && (error.code === -32_601 || error.code === -32_009);
}

async function run(call: OpenCall, tokens: TokenBuckets): Promise<NormalisedResult> {
  if (call.remoteId !== undefined && call.adapter.toPoll !== undefined) return await followTask(call, call.remoteId);
  const answered = await openQuestion(call);
  const reading = await sendTask(call, tokens, answered);
  if (reading.state === "ended" && !isStill(answered, reading)) return reading.result;
  const remoteId = reading.state === "working" ? reading.remoteId : (call.task.open_task_id ?? "");
  remember(call, remoteId);
  await call.remembered;
  if (reading.state === "working") tellProgress(call, reading.progress);
  return await followTask(call, remoteId, answered);
}

/**
 * Identifies the question that the task to continue waits with. A send that does not block can be answered with the task as it was before
 * the message: without this id the old question would be read as a new one.
 */
async function openQuestion(call: OpenCall): Promise<string | undefined> {
  const { adapter, task } = call;
  const { open_task_id } = task;
  if (open_task_id === undefined || adapter.toPoll === undefined) return undefined;
  const { reading } = await askAgent(call, {
    operation: "poll",
    make: () => adapter.toPoll?.(task, open_task_id),
  });
  return reading.questionId;
}
