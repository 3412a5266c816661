import type { WorkflowRun } from "@crosszone/contracts";
import type { RunApi, RunChange } from "../api/run-api.ts";
import { stateWords } from "../text/state-words.ts";
import { confirmChange, type Question } from "./confirm-change.ts";

const questions: Readonly<Record<RunChange, Question>> = {
  cancel: {
    title: "Cancel this run?",
    text: "This stops its steps and cancels their tasks at the agents. A canceled run can't be resumed.",
    yes: "Cancel run",
    no: "Keep running",
    isDangerous: true,
  },
  retry: {
    title: "Retry this run?",
    text: "The run resumes where it failed. Steps that succeeded are not run again; failed steps are sent to their agents again.",
    yes: "Retry run",
    no: "Don't retry",
    isDangerous: false,
  },
};

/** Cancels or retries a run after the user confirms. Resolves with a message for the user; empty when there is none. */
export async function changeRun(api: RunApi, { run_id }: WorkflowRun, what: RunChange): Promise<string> {
  if (!(await confirmChange(questions[what]))) return "";
  try {
    const { state } = await api.change(run_id, what);
    return what === "retry" ? "The run continues." : `Run ${stateWords[state].toLowerCase()}.`;
  } catch (error) {
    return (error as Error).message;
  }
}
