import type { MessageBus, Subscription } from "@crosszone/bus";
import type { AgentCancellation, AgentResult, AgentTask } from "@crosszone/contracts";

/** Returns an agent's output; undefined for no response. A thrown error's message becomes the agent's failure. */
export type FakeAnswer = (task: AgentTask) => unknown;

export interface FakeAgents {
  /** The received tasks in order. */
  readonly tasks: AgentTask[];
  readonly cancellations: AgentCancellation[];
  /** The inputs of the tasks of a step. */
  readonly inputsOf: (step: string) => unknown[];
  readonly subscriptions: readonly Subscription[];
}

/** Fakes the bridge and all agents behind it. Each agent echoes its input unless told otherwise. */
export async function startFakeAgents(
  bus: MessageBus,
  answer: FakeAnswer = ({ input_data }) => input_data,
): Promise<FakeAgents> {
  const tasks: AgentTask[] = [];
  const cancellations: AgentCancellation[] = [];
  const group = { group: "agent-bridge", concurrency: 100 };
  const subscriptions = await Promise.all([
    bus.subscribe("agent_tasks", {
      ...group,
      handle: async ({ value: task }) => {
        tasks.push(task);
        const value = await resultFor(task, answer);
        if (value !== undefined) await bus.publish([{ channel: "agent_results", value }]);
      },
    }),
    bus.subscribe("agent_cancellations", {
      ...group,
      handle: async ({ value }) => void cancellations.push(value),
    }),
  ]);
  const inputsOf = (step: string): unknown[] =>
    tasks.filter(({ agent_name }) => agent_name === `${step}-agent`).map(({ input_data }) => input_data);
  return { tasks, cancellations, inputsOf, subscriptions };
}

/** Returns the result of a task: a failure if `message` is present. */
export function agentResult(
  { run_id, task_id, correlation_id }: Pick<AgentTask, "run_id" | "task_id" | "correlation_id">,
  { output = null, message }: { readonly output?: unknown; readonly message?: string },
): AgentResult {
  const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString(), attempts: 1 };
  return message === undefined
    ? { ...ids, status: "SUCCESS", output_data: output, error_message: null }
    : { ...ids, status: "FAILURE", output_data: null, error_message: message };
}

async function resultFor(task: AgentTask, answer: FakeAnswer): Promise<AgentResult | undefined> {
  try {
    const output = await answer(task);
    return output === undefined ? undefined : agentResult(task, { output });
  } catch (error) {
    return agentResult(task, { message: (error as Error).message });
  }
}
