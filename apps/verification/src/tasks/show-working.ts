import { workingOnIt } from "../answers/compose-working.ts";
import type { TaskMark } from "../slack/slack-api.ts";
import { SlackCallError } from "../slack/slack-call-error.ts";
import type { AnswerQuestionDeps } from "./answer-question.ts";
import { inThread, noted, type Attempt } from "./attempt.ts";
import type { Placeholder } from "./deliver-answer.ts";
import { createMarkedMessages } from "./marked-messages.ts";
import { createStepDisplay, type StepDisplay } from "./step-display.ts";

type ShowDeps = Pick<AnswerQuestionDeps, "inbox" | "slack" | "clock">;

/** The message that says that the work is going on is tried for so long; then the answer is posted by itself. */
const placeholderBudgetMs = 10_000;

/** Says that the work is going on, unless an attempt before has. */
export async function showWorking(deps: ShowDeps, attempt: Attempt): Promise<Placeholder> {
  const { entry, seen } = attempt;
  if (entry.progress.placeholder !== undefined) return noted(entry);
  try {
    const { ts } = await createMarkedMessages(inThread(deps, attempt)).post({
      message: { text: workingOnIt, mark: workingMark(attempt) },
      budgetMs: placeholderBudgetMs,
      doubtful: entry.attempt > 1,
    });
    await deps.inbox.note(entry, { placeholder: ts });
    return { ts };
  } catch (error) {
    if (!(error instanceof SlackCallError)) throw error;
    seen.placeholderMissing(error);
    return { doubtful: entry.attempt > 1 || error.failure === "unavailable" };
  }
}

/** Has that message show how far the task is, as often as Slack allows. */
export function displaySteps(deps: ShowDeps, attempt: Attempt, message: Promise<Placeholder>): StepDisplay {
  const messages = createMarkedMessages(inThread(deps, attempt));
  return createStepDisplay({
    clock: deps.clock,
    pace: attempt.pace,
    message,
    edit: (ts, markdown_text) => messages.edit(ts, { markdown_text, mark: workingMark(attempt) }),
    until: attempt.task.signal,
  });
}

function workingMark({ entry }: Attempt): TaskMark {
  const { request_id, correlation_id } = entry.record;
  return { request_id, correlation_id, state: "working" };
}
