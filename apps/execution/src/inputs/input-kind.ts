import { type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import { createRoom, type JobKind } from "@crosszone/jobs";
import { isLive } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";
import type { RunInputs } from "./run-inputs.ts";

export interface InputKindDeps extends Partial<RunInputs> {
  readonly requests: Pick<InputRequests, "advance" | "ask" | "withdraw">;
}

/** How many requests are looked at in this process at the same time. A look is a few statements. */
const mostLooks = 20;

/** The life of an input request: reminders, expiry, and the end of its approval. Each change of the request wakes it. */
export function createInputKind({ requests, isUnneeded, askedBy, endOf }: InputKindDeps): JobKind<ExecutionColumn> {
  return {
    kind: inputKind,
    ...createRoom(mostLooks),
    read: (row) => row,
    run: async (job) => {
      if (await isUnneeded?.(job)) await requests.withdraw(job.id, "The run no longer needs it.");
      let found = await requests.advance(job.id);
      if (found === undefined) {
        const asked = await askedBy?.(job);
        if (asked !== undefined && !("request_id" in asked)) return asked;
        if (asked !== undefined) await requests.ask(asked);
        found = asked && (await requests.advance(job.id));
      }
      if (found === undefined) return { end: { outcome: "deleted", output: null } };
      const { request, sleepMs } = found;
      if (isLive(request)) return { release: { counted: false, afterMs: sleepMs } };
      return endOf?.(job, request) ?? { end: { outcome: request.state, output: null } };
    },
  };
}
