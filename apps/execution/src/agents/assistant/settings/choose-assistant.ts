import type { Assistant } from "@crosszone/assistant";
import type { AgentTaskInput } from "../../agent.ts";
import type { AssistantFile } from "./assistant-file.ts";
import { settingsFor } from "./settings-for.ts";

/** The assistant that answers a question, with the operator's instructions. */
export interface ChosenAssistant {
  readonly assistant: Assistant;
  readonly instructions: string | undefined;
}

/** Chooses the assistant for a task's team and channel. */
export type ChooseAssistant = (task: Pick<AgentTaskInput, "channel" | "team_id">) => Promise<ChosenAssistant>;

export interface AssistantChoices {
  /** Uses the model of MODEL. */
  readonly main: Assistant;
  readonly current: () => AssistantFile;
  /** Opens an assistant with another model, `provider/id`. */
  readonly open: (model: string) => Promise<Assistant>;
}

/** Returns a function that opens each model once, on the first question that needs it. */
export function createChooseAssistant({ main, current, open }: AssistantChoices): ChooseAssistant {
  const opened = new Map<string, Promise<Assistant>>();

  function openOnce(model: string): Promise<Assistant> {
    const known = opened.get(model);
    if (known !== undefined) return known;
    const opening = open(model);
    opened.set(model, opening);
    opening.catch(() => opened.delete(model));
    return opening;
  }

  return async (task) => {
    const { model, instructions } = settingsFor(current(), task);
    return { instructions, assistant: model === undefined ? main : await openOnce(model) };
  };
}
