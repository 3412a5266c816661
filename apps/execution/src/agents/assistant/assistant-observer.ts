import type { AssistantObserver as ModelObserver, TurnUsage } from "@crosszone/assistant";
import type { AgentTaskInput } from "../agent.ts";
import type { SettingsObserver } from "./settings/read-assistant-file.ts";

/** Receives events of the assistant, for logs. */
export interface AssistantObserver extends ModelObserver, SettingsObserver {
  /** A task's model calls used this much, whatever its outcome. */
  readonly used: (usage: TurnUsage, task: Pick<AgentTaskInput, "task_id" | "correlation_id">) => void;
}
