import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { LogFields } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { BridgeEmit } from "../events/agent-events.ts";
import type { AgentCaller, CallEnd, CallOptions } from "../calls/agent-caller.ts";

export interface RecordingEmit {
  readonly emit: BridgeEmit;
  /** The fields of each event of a name, in order. */
  readonly eventsOf: (name: ExecutionEvent) => readonly LogFields[];
}

/** Returns a function that records the events that it is told of. */
export function recordingEmit(): RecordingEmit {
  const events: [ExecutionEvent, LogFields][] = [];
  return {
    emit: (event, ...[fields]) => void events.push([event, { ...fields }]),
    eventsOf: (name) => events.flatMap(([event, fields]) => (event === name ? [fields] : [])),
  };
}

export interface FakeCall {
  readonly task: AgentTask;
  readonly agent: AgentRecord;
  readonly options: CallOptions;
}

/** Answers at once. */
export const echo = ({ task }: FakeCall): CallEnd => ({
  output: { text: "done", echo: task.input_data },
  failure: undefined,
  attempts: 1,
});

/** Replaces agents and the way to them; records its calls. It respects the signal, as the real caller does. */
export function createFakeCaller(answer: (call: FakeCall) => CallEnd | Promise<CallEnd> = echo): {
  readonly caller: AgentCaller;
  readonly calls: FakeCall[];
} {
  const calls: FakeCall[] = [];
  const call: AgentCaller["call"] = (task, agent, options) => {
    const made = { task, agent, options };
    calls.push(made);
    const aborted = Promise.withResolvers<never>();
    options.signal.addEventListener("abort", () => aborted.reject(options.signal.reason as Error), { once: true });
    return Promise.race([Promise.try(answer, made), aborted.promise]);
  };
  return { caller: { call }, calls };
}

export const never = (): Promise<never> => new Promise(() => undefined);
