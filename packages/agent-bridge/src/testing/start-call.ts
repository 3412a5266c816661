import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { onTestFinished } from "vitest";
import { createAdapters } from "../adapters/adapters.ts";
import { CircuitBreakers } from "../limits/circuit-breakers.ts";
import type { CallEnd, CallOptions } from "../calls/agent-caller.ts";
import { type AgentCallerDeps, createAgentCaller } from "../calls/create-agent-caller.ts";
import type { CallTime } from "../calls/open-call.ts";
import { createAddressRules } from "../addresses/address-rules.ts";
import type { AgentClient, AgentRequest } from "../client/agent-client.ts";
import { type AgentClientOptions, createAgentClient } from "../client/create-agent-client.ts";
import { createSecretSource } from "../secrets/secret-source.ts";
import { agentOf, newAgent, newAgentTask } from "./agent-record.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";
import { recordingEmit, type RecordingEmit } from "./test-callers.ts";

interface ClientOptions extends Partial<AgentClientOptions> {
  readonly origins: readonly string[];
}

/** A client that may call `origins`, with any secret. Closed with the test. */
export function clientOf({ origins, ...options }: ClientOptions): AgentClient {
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
    timeoutMs: 15_000,
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

interface VirtualTime extends CallTime {
  /** All pauses, milliseconds. */
  readonly pauses: readonly number[];
}

/** A clock that advances only during pauses, which end at once. `random` always returns the same number. */
export function virtualTime(random = 1): VirtualTime {
  let now = 1_000_000;
  const pauses: number[] = [];
  return {
    pauses,
    now: () => now,
    random: () => random,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      pauses.push(ms);
      now += ms;
      // Lets pending requests proceed.
      await new Promise(setImmediate);
      signal?.throwIfAborted();
    },
  };
}

export interface StartedCall extends Pick<RecordingEmit, "eventsOf"> {
  readonly time: VirtualTime;
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
