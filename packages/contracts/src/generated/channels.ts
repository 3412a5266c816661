/* Generated from schemas/ by dev/scripts/contract/generate.ts. Do not edit; run `pnpm generate`. */
import type { AgentCancellation, AgentResult, AgentTask } from "./types.ts";
import { isAgentCancellation, isAgentResult, isAgentTask } from "./validators.ts";
import type { Validator } from "../validator.ts";

/** The channels of the bus: what each carries. */
export interface Channels {
  agent_tasks: AgentTask;
  agent_results: AgentResult;
  agent_cancellations: AgentCancellation;
}

/** One channel of the bus. */
export interface Channel<Message> {
  /** The topic, unless the installation names another. */
  readonly topic: string;
  /** The member whose value is the message's key: messages with the same one keep their order. */
  readonly key: "task_id";
  readonly message: Validator<Message>;
}

/** Topic, key and validator of each channel. */
export const channels: { readonly [C in keyof Channels]: Channel<Channels[C]> } = {
  agent_tasks: { topic: "orchestrator.tasks.http", key: "task_id", message: isAgentTask },
  agent_results: { topic: "results.topic", key: "task_id", message: isAgentResult },
  agent_cancellations: { topic: "orchestrator.tasks.cancel", key: "task_id", message: isAgentCancellation },
};
