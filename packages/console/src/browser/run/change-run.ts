import type { InputRequest, WorkflowRun } from "@crosszone/contracts";
import { h, render } from "preact";
import type { RunApi, RunChange } from "../api/run-api.ts";

interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly look: "dangerous" | "primary";
}

const confirmations: Readonly<Record<RunChange | "withdraw", Confirmation>> = {
  cancel: {
    title: "Cancel this run?",
    text: "This stops its steps and cancels their tasks at the agents. A canceled run can't be resumed.",
    yes: "Cancel run",
    no: "Keep running",
    look: "dangerous",
  },
  retry: {
    title: "Retry this run?",
    text: "The run resumes where it failed. Steps that succeeded are not run again; failed steps are sent to their agents again.",
    yes: "Retry run",
    no: "Don't retry",
    look: "primary",
  },
  withdraw: {
    title: "Withdraw this request?",
    text: "People can no longer decide it. The step that waits for it ends as if it was denied.",
    yes: "Withdraw request",
    no: "Keep waiting",
    look: "dangerous",
  },
};

/** Cancels or retries a run after the user confirms. Resolves with an error for the user; empty without one: the state of the run says the rest. */
export const changeRun = (api: RunApi, { run_id }: WorkflowRun, what: RunChange): Promise<string> =>
  confirmed(confirmations[what], () => api.change(run_id, what));

/** Withdraws an input request after the user confirms. Resolves like `changeRun`. */
export const withdrawInput = (api: RunApi, { request_id }: InputRequest): Promise<string> =>
  confirmed(confirmations.withdraw, () => api.withdraw(request_id));

async function confirmed(confirmation: Confirmation, act: () => Promise<unknown>): Promise<string> {
  if (!(await confirm(confirmation))) return "";
  try {
    await act();
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

/** Resolves with whether the user confirmed. The harmless answer has the focus. */
function confirm({ look, no, text, title, yes }: Confirmation): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "question");
  dialog.setAttribute("aria-describedby", "question-text");
  render(
    [
      h("h2", { id: "question" }, title),
      h("p", { id: "question-text" }, text),
      h(
        "div",
        { class: "choices" },
        h("button", { type: "button", autofocus: true, onClick: () => dialog.close() }, no),
        h("button", { type: "button", class: look, onClick: () => dialog.close("yes") }, yes),
      ),
    ],
    dialog,
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    resolve(dialog.returnValue === "yes");
  });
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
