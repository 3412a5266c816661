import { callId, type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { AgentTask } from "@crosszone/contracts";
import type { NewJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import type { StepAsk } from "../steps/human.ts";
import type { RunRequester } from "../store/stored-run.ts";

/** The members that are stored without a key. */
export interface RunInputRecord {
  /** Unique for each attempt of the step. Its `callId` is the id of the job and of the input request. */
  readonly task: Pick<AgentTask, "run_id" | "task_id" | "correlation_id">;
  readonly step_id: string;
  readonly workflow_id: string;
}

/** What a step of a run asks of people. */
export interface RunInput extends RunInputRecord, RunRequester {
  readonly ask: StepAsk;
}

/** What a step asks when its job is created. `team`: a digest, as in the run's row. */
export interface NewRunInput extends RunInput {
  readonly team: string | null;
}

const askContext = (id: string): string => `input ask ${id}`;

/** Returns the job that asks people. Its end, like that of a call, is the step's result (`endCall`). */
export function runInputJob(
  { task, step_id, workflow_id, team, ...asked }: NewRunInput,
  codec: RecordCodec,
): NewJob<ExecutionColumn> {
  const id = callId(task);
  return {
    id,
    kind: inputKind,
    share: inputKind,
    parent: task.run_id,
    team,
    record: JSON.stringify({ task, step_id, workflow_id } satisfies RunInputRecord),
    input: codec.toColumn(asked, askContext(id)),
    as: "ready",
    own: { name: columnText(workflow_id), correlation_id: columnText(task.correlation_id) },
  };
}

/** A job of the kind `input`, of a run or a task. */
interface InputJob {
  readonly id: string;
  readonly record: string;
  readonly input: string | null;
}

/** Returns the run and step of a job; undefined for the job of a task. */
export function runInputRecordOf({ record }: Pick<InputJob, "record">): RunInputRecord | undefined {
  const read = JSON.parse(record) as Partial<RunInputRecord>;
  return read.task === undefined ? undefined : (read as RunInputRecord);
}

/** Returns what the job of a run asks. Throws a `SealedTextError` if no key decrypts it. */
export function runInputOf(job: InputJob, codec: RecordCodec): RunInput {
  const asked = codec.fromColumn(job.input ?? "null", askContext(job.id)) as Pick<RunInput, "ask"> & RunRequester;
  return { ...(JSON.parse(job.record) as RunInputRecord), ...asked };
}
