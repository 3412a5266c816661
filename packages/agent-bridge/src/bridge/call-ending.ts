import { isAgentResult, problemsOf, type AgentResult } from "@crosszone/contracts";
import { callOutputContext, type CallEnding, type CallOutcome, type HeldJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";

export interface EndedWork {
  readonly outcome: CallOutcome;
  readonly result: AgentResult;
  /** From the start in this process to the end, milliseconds. */
  readonly tookMs?: number;
}

/** Returns the end of a call, for the store and for who waits. Throws a `TypeError` when the result is not valid. */
export function callEnding(held: HeldJob, { outcome, result, tookMs }: EndedWork, codec: RecordCodec): CallEnding {
  checkFailure(result);
  const own = {
    error_kind: result.error?.kind ?? null,
    agent_attempts: result.attempts ?? null,
    took_ms: tookMs ?? null,
  };
  const output = codec.toColumn(result, callOutputContext(held.id));
  return { outcome, result, ending: { held, end: { outcome, output, own } } };
}

/** Only a failure has members that an agent chose. */
function checkFailure(result: AgentResult): void {
  if (result.status === "SUCCESS") return;
  const problems = problemsOf(isAgentResult, result);
  if (problems.length === 0) return;
  const words = problems.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
  throw new TypeError(`The result is not an AgentResult: ${words}.`);
}
