import type { TaskStep } from "@crosszone/contracts";
import type { MadeFile } from "../tools/assistant-tool.ts";

/** The most steps that are shown (`task-progress.schema.json`). */
const mostSteps = 50;

/** What one turn has come to. */
export interface TurnState {
  /** Whether content of others is in the conversation now. */
  isTainted: boolean;
  /** Tools that were not offered when the model was last called, by the names that people know. */
  withheld: ReadonlySet<string>;
  readonly files: MadeFile[];
  /** Runs a piece of work and shows it as a step; `failed` says whether it failed although it came to an end. */
  step<T>(title: string, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T>;
  /** Which call of this tool this is, from 1. */
  countCall(tool: string): number;
}

/** `show` receives all steps whenever one changes. */
export function createTurnState(isTainted: boolean, show: (steps: TaskStep[]) => void): TurnState {
  const steps: TaskStep[] = [];
  const calls = new Map<string, number>();

  function begin(title: string): (state: TaskStep["state"]) => void {
    if (steps.length === mostSteps) return () => undefined;
    const at = steps.length;
    const line = { id: String(at + 1), title: title.slice(0, 255).toWellFormed(), depth: 0 };
    const set = (state: TaskStep["state"]): void => {
      steps[at] = { ...line, state };
      show([...steps]);
    };
    set("running");
    return set;
  }

  return {
    isTainted,
    withheld: new Set(),
    files: [],
    step: async (title, work, failed) => {
      const end = begin(title);
      try {
        const result = await work();
        end(failed(result) ? "failed" : "succeeded");
        return result;
      } catch (error) {
        end("failed");
        throw error;
      }
    },
    countCall: (tool) => {
      const count = (calls.get(tool) ?? 0) + 1;
      calls.set(tool, count);
      return count;
    },
  };
}
