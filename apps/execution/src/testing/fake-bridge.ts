import type { MessageBus, MessageHeaders } from "@crosszone/bus";
import type { AgentCancellation, AgentResult, AgentTask } from "@crosszone/contracts";

export interface FakeBridge {
  /** The tasks received. */
  readonly tasks: (AgentTask & { readonly headers: MessageHeaders })[];
  /** The cancellations received. */
  readonly cancellations: AgentCancellation[];
  readonly publish: (...results: readonly AgentResult[]) => Promise<void>;
}

/** Consumes tasks from a real bus in place of the bridge, and publishes the results that `answer` returns. */
export async function startFakeBridge(
  bus: MessageBus,
  answer: (task: AgentTask) => AgentResult | undefined = () => undefined,
): Promise<FakeBridge> {
  const [tasks, cancellations]: [FakeBridge["tasks"], AgentCancellation[]] = [[], []];
  const publish = (...results: readonly AgentResult[]): Promise<void> =>
    bus.publish(results.map((value) => ({ channel: "agent_results", value })));
  const common = { group: "agent-bridge", concurrency: 10 };
  await bus.subscribe("agent_tasks", {
    ...common,
    handle: async ({ value, headers }) => {
      tasks.push({ ...value, headers });
      const result = answer(value);
      if (result !== undefined) await publish(result);
    },
  });
  await bus.subscribe("agent_cancellations", {
    ...common,
    handle: async ({ value }) => void cancellations.push(value),
  });
  return { tasks, cancellations, publish };
}
