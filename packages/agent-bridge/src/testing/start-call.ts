import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import type { LogFields } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import { createAdapters } from "../adapters/adapters.ts";
import { CircuitBreakers } from "../calls/circuit-breakers.ts";
import { type AgentCallerDeps, createAgentCaller } from "../calls/create-agent-caller.ts";
import type { CallEnd, AgentCallOptions, AgentCaller } from "../calls/open-call.ts";
import { createAddressRules } from "../client/address-rules.ts";
import type { AgentClient, AgentRequest } from "../client/agent-client.ts";
import { type AgentClientOptions, createAgentClient } from "../client/create-agent-client.ts";
import { createSecretSource } from "../client/secret-source.ts";
import type { BridgeEmit } from "../protocol/agent-events.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";
import { agentOf, newAgent, newAgentTask } from "./agent-record.ts";

/** A client that may call `origins`, with any secret. Closed with the test. */
export function clientOf({
  origins,
  ...options
}: { origins: readonly string[] } & Partial<AgentClientOptions>): AgentClient {
  const client = createAgentClient({
    rules: createAddressRules({ origins }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: { check: () => undefined },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

export function requestTo(url: string, own: Partial<AgentRequest> = {}): AgentRequest {
  return {
    agent: agentOf({ url }),
    body: "{}",
    headers: {},
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    ...own,
  };
}

export const textOf = ({ body }: AgentReply): string => Buffer.from(body).toString();

/** For agents whose card is not fetched, so that nothing is streamed. */
export const withoutCard: AgentClient = {
  send: () => Promise.reject(new Error("no request was expected")),
  fetchCard: async () => ({ status: 404, headers: {}, body: new Uint8Array() }),
  fetchAs: () => fetch,
  close: async () => undefined,
};

/** Answers any input, without a network: ten thousand connections would test the machine. */
export const answering = (answer: () => Uint8Array | string): AgentClient => ({
  ...withoutCard,
  send: async () => ({ status: 200, headers: {}, body: Buffer.from(answer() as string) }),
});

/** A clock that advances only during pauses, which end at once. `random` always returns the same number. */
export function virtualTime(random = 1) {
  let now = 1_000_000;
  const pauses: number[] = [];
  return {
    /** All pauses, milliseconds. */
    pauses: pauses as readonly number[],
    now: () => now,
    random: () => random,
    sleep: async (ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
      // Lets pending requests proceed.
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
  };
}

export interface StartCallOptions {
  readonly agent?: Partial<AgentRecord>;
  readonly task?: Partial<AgentTask>;
  readonly options?: Partial<AgentCallOptions>;
  readonly deps?: Partial<AgentCallerDeps>;
  readonly time?: ReturnType<typeof virtualTime>;
  /** From now on, milliseconds of virtual time. */
  readonly deadlineMs?: number;
}

/** Runs a task on an agent over real HTTP, with time that advances only in pauses. */
export function startCall(given: StartCallOptions) {
  const { agent, task, options, deps, time = virtualTime(), deadlineMs = 600_000 } = given;
  const { emit, eventsOf } = recordingEmit();
  const caller = createAgentCaller({
    adapters: createAdapters(),
    client: clientOf({ origins: ["http://127.0.0.1:*"] }),
    breakers: new CircuitBreakers({ now: time.now }),
    emit,
    time,
    ...deps,
  });
  const end = caller.call(newAgentTask(task), newAgent(agent), {
    deadlineAt: time.now() + deadlineMs,
    signal: new AbortController().signal,
    onRemoteId: async () => undefined,
    ...options,
  });
  return { time, eventsOf, end };
}

/** Returns a function that records emitted events. */
export function recordingEmit() {
  const events: [ExecutionEvent, LogFields][] = [];
  const emit: BridgeEmit = (event, ...[fields]) => void events.push([event, { ...fields }]);
  /** The fields of each event of a name, in order. */
  const eventsOf = (name: ExecutionEvent) => events.flatMap(([event, fields]) => (event === name ? [fields] : []));
  return { emit, eventsOf };
}

export interface FakeCall {
  readonly task: AgentTask;
  readonly agent: AgentRecord;
  readonly options: AgentCallOptions;
}

/** Answers at once. */
export const echo = ({ task }: FakeCall): CallEnd => ({
  output: { text: "done", echo: task.input_data },
  failure: undefined,
  attempts: 1,
});

/** Replaces agents and the way to them; records its calls. It respects the signal, as the real caller does. */
export function createFakeCaller(answer: (call: FakeCall) => CallEnd | Promise<CallEnd> = echo) {
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
