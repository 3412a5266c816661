import { hash } from "node:crypto";
import type { MessageHeaders } from "@crosszone/bus";
import type { AgentTask } from "@crosszone/contracts";
import { SealedTextError, type RecordCodec } from "@crosszone/service-kit";
import { columnText } from "@crosszone/sql";
import { trialColumn, type ChosenWay } from "../../canary/chosen-way.ts";
import type { CallIds, NewCall, TakenCall, TaskNames } from "../agent-call.ts";
import type { AgentCallTable } from "./agent-call-table.ts";

/** Returns the id of a run's task. Hexadecimal, so that every engine sorts ids in the same order. */
export const callId = ({ run_id, task_id }: CallIds): string => hash("sha256", JSON.stringify([run_id, task_id]));

/** The contexts that a call's sealed columns are bound to. */
export const callInputContext = (id: string): string => `agent_call input ${id}`;
export const callRemoteIdContext = (id: string): string => `agent_call remote_id ${id}`;
export const callOutputContext = (id: string): string => `agent_call output ${id}`;
export const callFilesContext = (id: string): string => `agent_call files ${id}`;
export const callProgressContext = (id: string): string => `agent_call progress ${id}`;

/** The constant members of a call. */
export interface CallRecord {
  readonly task: TaskNames;
  readonly headers: MessageHeaders;
}

/** Returns the digest of a message's team; null when the message has none. */
export function teamOf({ "data-owner": team }: MessageHeaders): string | null {
  return team === undefined ? null : columnText(team);
}

export function newCallRow(
  { task, headers, deadlineMs, isHeld, way }: NewCall,
  { owner, leaseMs, codec }: { readonly owner: string; readonly leaseMs: number; readonly codec: RecordCodec },
): NewCallRow {
  const { input_data, files, ...asked } = task;
  const id = callId(task);
  return {
    id,
    agent: columnText(task.agent_name),
    owner: isHeld ? owner : null,
    attempt: isHeld ? 1 : 0,
    lease_ms: isHeld ? leaseMs : 0,
    deadline_ms: deadlineMs,
    team: teamOf(headers),
    record: JSON.stringify({ task: asked, headers } satisfies CallRecord),
    input: codec.toColumn(input_data, callInputContext(id)),
    files: files === undefined ? null : codec.toColumn(files, callFilesContext(id)),
    ...wayColumns(way),
  };
}

/** Returns the columns of the way on which a call is sent. */
export function wayColumns(way: ChosenWay | undefined): Pick<AgentCallTable, "way" | "trial"> {
  if (way === undefined) return { way: null, trial: null };
  return { way: JSON.stringify(way), trial: way.trial === undefined ? null : trialColumn(way.trial) };
}

export type NewCallRow = Pick<
  AgentCallTable,
  "id" | "agent" | "owner" | "attempt" | "team" | "record" | "files" | "way" | "trial"
> & {
  readonly lease_ms: number;
  readonly deadline_ms: number;
  readonly input: string;
};

/** The columns from which a call is read. */
export type TakenRow = Pick<AgentCallTable, "id" | "attempt" | "record" | "input" | "remote_id" | "files" | "way"> & {
  readonly remaining_ms: number;
  readonly waited_ms: number;
};

export function takenCallOf(row: TakenRow, codec: RecordCodec): TakenCall {
  const { id, attempt, remaining_ms: remainingMs, waited_ms: waitedMs } = row;
  // Never sealed, so it needs neither key nor context.
  const { task, headers } = codec.fromColumn(row.record, "") as CallRecord;
  const input = opened(row.input, callInputContext(id), codec);
  const remoteId = opened(row.remote_id, callRemoteIdContext(id), codec) as string | undefined;
  const files = opened(row.files, callFilesContext(id), codec) as AgentTask["files"];
  const asked: AgentTask = { ...task, input_data: input ?? null, ...(files !== undefined && { files }) };
  const isReadable = input !== undefined && (row.files === null || files !== undefined);
  const way = row.way === null ? undefined : (JSON.parse(row.way) as ChosenWay);
  return { id, attempt, task: asked, isReadable, headers, remoteId, way, remainingMs, waitedMs };
}

/** Returns the JSON in a column; undefined when the column is empty or its key is missing. */
export function opened(text: string | null, context: string, codec: RecordCodec): unknown {
  if (text === null) return undefined;
  try {
    return codec.fromColumn(text, context);
  } catch (error) {
    if (error instanceof SealedTextError) return undefined;
    throw error;
  }
}
