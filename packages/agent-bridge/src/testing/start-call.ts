import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { createAdapters } from "../adapters/adapters.ts";
import { createCircuitBreakers } from "../breaker/create-circuit-breakers.ts";
import type { CallEnd, CallOptions } from "../calls/agent-caller.ts";
import { createAgentCaller, type AgentCallerDeps } from "../calls/create-agent-caller.ts";
import { newAgent, newAgentTask } from "./agent-record.ts";
import { virtualTime, type VirtualTime } from "./call-time.ts";
import { plainClient } from "./plain-client.ts";
import { recordingObserver, type RecordingObserver } from "./recording-observer.ts";

export interface StartedCall {
  readonly time: VirtualTime;
  readonly observer: RecordingObserver;
  readonly end: Promise<CallEnd>;
}

export interface StartCallOptions {
  readonly agent?: Partial<AgentRecord>;
  readonly task?: Partial<AgentTask>;
  readonly options?: Partial<CallOptions>;
  readonly deps?: Partial<AgentCallerDeps>;
  readonly time?: VirtualTime;
  /** From now on, milliseconds of virtual time. */
  readonly deadlineMs?: number;
}

/** Runs a task on an agent over real HTTP, with time that advances only in pauses. */
export function startCall(given: StartCallOptions): StartedCall {
  const { agent, task, options, deps, time = virtualTime(), deadlineMs = 600_000 } = given;
  const observer = recordingObserver();
  const caller = createAgentCaller({
    adapters: createAdapters(),
    client: plainClient(),
    breakers: createCircuitBreakers({ now: time.now }),
    observer,
    time,
    ...deps,
  });
  const end = caller.call(newAgentTask(task), newAgent(agent), {
    deadlineAt: time.now() + deadlineMs,
    signal: new AbortController().signal,
    remoteId: undefined,
    onRemoteId: async () => undefined,
    traceparent: undefined,
    ...options,
  });
  return { time, observer, end };
}
