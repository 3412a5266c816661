import type { ExecutionColumn } from "@crosszone/agent-calls";
import type { InputRequest } from "@crosszone/contracts";
import { createRoom, type End, type JobKind, type LeasedJob } from "@crosszone/jobs";
import { isLive, type NewInput } from "./input-record.ts";
import type { InputRequests } from "./input-requests.ts";
import { inputKind } from "./input-statements.ts";

type Job = LeasedJob<ExecutionColumn>;

export interface InputKindDeps {
  readonly requests: Pick<InputRequests, "advance" | "ask">;
  /** Returns what a job asks that was stored before its request; undefined when it asks nothing. */
  readonly askedBy?: (job: Job) => Promise<NewInput | undefined>;
  /** Returns the end of a job whose request is closed. Its outcome is the request's state when absent. */
  readonly endOf?: (job: Job, request: InputRequest) => End<ExecutionColumn>;
}

/** How many requests are looked at in this process at the same time. A look is a few statements. */
const mostLooks = 20;

/** The life of an input request: reminders, expiry, and the end of its approval. Each change of the request wakes it. */
export function createInputKind({ requests, askedBy, endOf }: InputKindDeps): JobKind<ExecutionColumn> {
  return {
    kind: inputKind,
    ...createRoom(mostLooks),
    read: (row) => row,
    run: async (job) => {
      let found = await requests.advance(job.id);
      const input = found === undefined ? await askedBy?.(job) : undefined;
      if (input !== undefined) {
        await requests.ask(input);
        found = await requests.advance(job.id);
      }
      if (found === undefined) return { end: { outcome: "deleted", output: null } };
      const { request, sleepMs } = found;
      if (isLive(request)) return { release: { counted: false, afterMs: sleepMs } };
      return endOf?.(job, request) ?? { end: { outcome: request.state, output: null } };
    },
  };
}
