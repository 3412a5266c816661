import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { createAdapters } from "../adapters/adapters.ts";
import { createCircuitBreakers } from "../limits/circuit-breakers.ts";
import type { BridgeObserver } from "../observer/bridge-observer.ts";
import type { AgentCaller, CallEnd, CallOptions } from "../calls/agent-caller.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import { createAddressRules } from "../addresses/address-rules.ts";
import { createAgentClient } from "../client/create-agent-client.ts";
import { createSecretRules } from "../secrets/secret-rules.ts";
import { createSecretSource } from "../secrets/secret-source.ts";

export interface RecordingObserver extends BridgeObserver {
  /** The arguments of each event of a name, in order. */
  readonly eventsOf: (name: keyof BridgeObserver) => readonly (readonly unknown[])[];
}

const names = [
  "requestTranslated responseTranslated translationFailed retried callEnded callAborted cancelFailed circuitChanged",
  "taskStored taskLeased taskEnded taskRefused resultRefused taskDropped storeFailed",
].flatMap((line) => line.split(" ")) as (keyof BridgeObserver)[];

/** Creates an observer that records its events. */
export function recordingObserver(): RecordingObserver {
  const events: [keyof BridgeObserver, ...unknown[]][] = [];
  const observer = Object.fromEntries(
    names.map((name) => [name, (...args: unknown[]) => void events.push([name, ...args])]),
  ) as unknown as BridgeObserver;
  return { ...observer, eventsOf: (name) => events.flatMap(([of, ...args]) => (of === name ? [args] : [])) };
}

/** Creates the app's agent caller, over HTTP to these origins. */
export function createRealCaller(origins: readonly string[]): {
  readonly caller: AgentCaller;
  readonly close: () => Promise<void>;
} {
  const client = createAgentClient({
    rules: createAddressRules({ origins }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: createSecretRules({ bindings: [] }),
  });
  const observer = recordingObserver();
  const breakers = createCircuitBreakers();
  return { caller: createAgentCaller({ adapters: createAdapters(), client, breakers, observer }), close: client.close };
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

/** Never answers. */
export const never = (): Promise<never> => new Promise(() => undefined);
