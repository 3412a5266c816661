import type { TaskStep } from "@crosszone/contracts";
import type { AssistantTool, MadeFile, ToolResult } from "./assistant-tool.ts";

/** Maximum number of displayed steps (`task-progress.schema.json`). */
const mostSteps = 50;

/** The state of a turn. */
export interface TurnState {
  /** Whether third-party content is in the conversation. */
  isTainted: boolean;
  /** The tools withheld from the last model call, by the names that users know. */
  withheld: ReadonlySet<string>;
  readonly files: MadeFile[];
  /** Does work with a tool and shows it as a step. */
  step(tool: AssistantTool, work: () => Promise<ToolResult>): Promise<ToolResult>;
  /** Returns the number of this call of the tool, from 1. */
  countCall(tool: string): number;
}

const shortened = (text: string): string => text.slice(0, 255).toWellFormed();

/** Creates a turn's state. `show` receives all steps whenever one changes. */
export function createTurnState(isTainted: boolean, show: (steps: TaskStep[]) => void): TurnState {
  const steps: TaskStep[] = [];
  const calls = new Map<string, number>();

  function begin({ name, title }: AssistantTool): (state: TaskStep["state"]) => void {
    if (steps.length === mostSteps) return () => undefined;
    const at = steps.length;
    const line = { id: String(at + 1), title: shortened(title), uses: shortened(name), depth: 0 };
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
    step: async (tool, work) => {
      const end = begin(tool);
      try {
        const result = await work();
        end(result.failed ? "failed" : "succeeded");
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
