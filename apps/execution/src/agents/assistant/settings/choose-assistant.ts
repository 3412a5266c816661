import type { Assistant } from "@crosszone/assistant";
import type { AgentTaskInput } from "../../agent.ts";
import type { AssistantFile } from "./assistant-file.ts";
import { settingsFor } from "./settings-for.ts";

/** Who answers a question, and what the operator tells it. */
export interface ChosenAssistant {
  readonly assistant: Assistant;
  readonly instructions: string | undefined;
}

/** Chooses for the team and the channel of a task. */
export type ChooseAssistant = (task: Pick<AgentTaskInput, "channel" | "team_id">) => Promise<ChosenAssistant>;

export interface AssistantChoices {
  /** On the model of MODEL. */
  readonly main: Assistant;
  readonly current: () => AssistantFile;
  /** Opens an assistant on another model, by `provider/id`. */
  readonly open: (model: string) => Promise<Assistant>;
}

/** Returns a choice that opens each model once, with the first question that needs it. */
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
