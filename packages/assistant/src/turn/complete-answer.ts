import { AssistantError, type FailureReason } from "../failure.ts";
import { classifyError } from "./classify-error.ts";
import type { LoopEnd } from "./run-loop.ts";

/**
 * Returns the answer for the requester: the text, a note when it is incomplete, and `note`. An answer is complete only
 * when its stream ended normally because the model stopped. Throws an `AssistantError` when there is no text.
 */
export function completeAnswer(text: string, end: LoopEnd, note: string): string {
  const failure = failureOf(end, text);
  if (text.trim() === "") throw failure ?? new AssistantError("no_answer", "the model wrote nothing");
  const incomplete = failure === undefined ? "" : `_This answer is incomplete. ${failure.sentence}_`;
  return [text, incomplete, note].filter((part) => part !== "").join("\n\n");
}

const reasonsByFinish: Readonly<Record<string, FailureReason | undefined>> = {
  length: "output_limit",
  "content-filter": "refused",
  "tool-calls": "step_limit",
};

function failureOf({ finishReason, error }: LoopEnd, text: string): AssistantError | undefined {
  if (error !== undefined) return classifyError(error);
  if (finishReason === "stop") return undefined;
  const fallback: FailureReason = text === "" ? "no_answer" : "interrupted";
  const reason = reasonsByFinish[finishReason ?? ""] ?? fallback;
  return new AssistantError(reason, `finish reason ${finishReason ?? "missing"}`);
}
