import { hash } from "node:crypto";
import type { RunState, StepState } from "@crosszone/contracts";
import type { TreeCount } from "../steps/run-record.ts";

/** Returns the digest of an event's name and key, by which the steps that wait for it are found. */
export const topicOf = ({ name, key }: { readonly name: string; readonly key: string }): string =>
  hash("sha256", JSON.stringify([name, key]), "base64url");

/** Versions of workflows. A stored version never changes. */
export interface WorkflowTable {
  workflow_id: string;
  version: string;
  /** 1, 2, 3 …: the highest is the latest version. */
  number: number;
  name: string;
  /** Unix milliseconds, by the database's clock. */
  created_at: number;
  /** The `WorkflowDefinition`, JSON. */
  definition: string;
  /** Its `name`, `description` and `input_schema` for lists, JSON. */
  summary: string;
  /** Digest of who stored it over the API, see `personDigest`. */
  author: string | null;
}

/** Runs of workflows. Times are Unix milliseconds, by the database's clock. */
export interface WorkflowRunTable {
  run_id: string;
  /** Digest of the request's idempotency key or run id. */
  request_key: string | null;
  workflow_id: string;
  version: string;
  name: string;
  state: RunState;
  /** Increases by one with each change of the run or of a step. */
  revision: number;
  /** The revision in which the state last changed. */
  state_revision: number;
  /** The last request that changed the run, so that a repeated request is recognized. */
  last_request: string | null;
  /** When the next timer is due; null without a timer. */
  due_at: number | null;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  ended_at: number | null;
  deadline_at: number | null;
  /** Total size of its inputs, outputs and errors in all attempts, bytes of JSON. */
  bytes: number;
  /** Digest of the team that owns it. */
  team: string | null;
  /** Its requester, see `peopleColumn`. */
  people: string;
  correlation_id: string;
  /** As in `RunOrigin`. */
  tree_id: string | null;
  parent_id: string | null;
  /** The other immutable data, JSON: headers of its messages, limits. */
  record: string;
  /** The definition at the start of the run, JSON. */
  definition: string;
  /** JSON, may be sealed. */
  input: string;
  /** JSON, may be sealed. */
  output: string | null;
  /** A `RunProblem`, JSON, may be sealed. */
  error: string | null;
}

/** Every attempt at every instance of a step. Times are Unix milliseconds. */
export interface WorkflowStepTable {
  run_id: string;
  path: string;
  attempt: number;
  state: StepState;
  /** The run's revision in which it last changed. */
  revision: number;
  /** The task of an agent's step. */
  task_id: string | null;
  started_at: number | null;
  ended_at: number | null;
  team: string | null;
  /** Other data of the step, without text of people or agents, JSON. */
  record: string;
  /** The agent's input, JSON, may be sealed. */
  input: string | null;
  /** The agent's output, JSON, may be sealed. */
  output: string | null;
  /** A `RunProblem`, JSON, may be sealed. */
  error: string | null;
}

/** Turns of runs that are retried because they did not complete. A row that remains means that the turn crashed its process. */
interface WorkflowTurnTable {
  run_id: string;
  /** The task whose result the turn processes, or `time`. */
  cause: string;
  /** How often the turn was retried. */
  attempts: number;
  /** When the turn last started, Unix milliseconds by the database's clock. */
  begun_at: number;
}

/** What the runs of a tree have together, see `TreeCount`. */
interface WorkflowTreeTable extends TreeCount {
  tree_id: string;
  /** Unix milliseconds, by the database's clock. */
  created_at: number;
}

/** Events for runs that wait for them, now or later. */
interface WorkflowEventTable {
  /** Digest of its name, its key and the id that its sender gave it. */
  event_id: string;
  name: string;
  /** See `topicOf`. */
  topic: string;
  /** JSON, may be sealed. */
  payload: string;
  /** Digest of who sent it to the API, see `personDigest`. */
  author: string | null;
  /** Unix milliseconds, by the database's clock. */
  received_at: number;
}

export interface WorkflowTables {
  workflow_event: WorkflowEventTable;
  workflow: WorkflowTable;
  workflow_run: WorkflowRunTable;
  workflow_step: WorkflowStepTable;
  workflow_tree: WorkflowTreeTable;
  workflow_turn: WorkflowTurnTable;
}
