import type { WorkflowRun } from "@crosszone/contracts";
import type { RunApi, RunChange } from "../api/run-api.ts";
import { stateWords } from "../text/state-words.ts";
import { confirmChange, type Question } from "./confirm-change.ts";

const questions: Readonly<Record<RunChange, Question>> = {
  cancel: {
    title: "Cancel this run?",
    text: "Its steps are stopped and their tasks are taken back from the agents. A canceled run cannot go on.",
    yes: "Cancel the run",
    no: "Let it run",
    isDangerous: true,
  },
  retry: {
    title: "Retry this run?",
    text: "It goes on from where it failed. Steps that succeeded are not done again; those that failed are given to their agents once more.",
    yes: "Retry the run",
    no: "Leave it",
    isDangerous: false,
  },
};

/** Cancels or retries a run, once that is confirmed. Gives what is to be said of it; empty when nothing is. */
export async function changeRun(api: RunApi, { run_id }: WorkflowRun, what: RunChange): Promise<string> {
  if (!(await confirmChange(questions[what]))) return "";
  try {
    const { state } = await api.change(run_id, what);
    return what === "retry" ? "The run goes on." : `The run: ${stateWords[state].toLowerCase()}.`;
  } catch (error) {
    return (error as Error).message;
  }
}
