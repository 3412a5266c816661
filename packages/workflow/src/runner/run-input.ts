import { callId, type CallHeaders, type ExecutionColumn, inputKind } from "@crosszone/agent-calls";
import type { NewJob } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import type { StepAsk } from "../steps/human.ts";
import type { CanceledTask } from "./turn.ts";

/** The members of a job of the kind `input` that a run created. */
export interface RunInputRecord {
  /** Unique for each attempt of the step. Its `callId` is the id of the job and of the input request. */
  readonly task: CanceledTask;
  readonly step_id: string;
  readonly workflow_id: string;
  /** Those of the run's calls. */
  readonly headers: CallHeaders;
}

/** What a step of a run asks of people. */
export interface RunInput extends RunInputRecord {
  readonly ask: StepAsk;
}

const askContext = (id: string): string => `input ask ${id}`;

/** Returns the job that asks people. Its end, like that of a call, is the step's result (`endCall`). */
export function runInputJob({ ask, ...record }: RunInput, codec: RecordCodec): NewJob<ExecutionColumn> {
  const { task, workflow_id, headers } = record;
  const id = callId(task);
  const { "data-owner": team } = headers;
  return {
    id,
    kind: inputKind,
    share: inputKind,
    parent: task.run_id,
    team: team === undefined ? null : columnText(team),
    record: JSON.stringify(record satisfies RunInputRecord),
    input: codec.toColumn(ask, askContext(id)),
    as: "ready",
    own: { name: columnText(workflow_id), correlation_id: columnText(task.correlation_id) },
  };
}

/** Reads such a job. Throws a `SealedTextError` if no key decrypts it. */
export function runInputOf(
  { id, record, input }: { readonly id: string; readonly record: string; readonly input: string | null },
  codec: RecordCodec,
): RunInput {
  const ask = codec.fromColumn(input ?? "null", askContext(id)) as StepAsk;
  return { ...(JSON.parse(record) as RunInputRecord), ask };
}
