import { hash, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type CallHeaders, ownerColumn } from "@crosszone/agent-calls";
import { type Author, authorAct, type NewAuditEvent } from "@crosszone/audit";
import {
  type HumanStep,
  isRunId,
  type ParamProblem,
  type StartRunRequest,
  type WorkflowRunSummary,
} from "@crosszone/contracts";
import type { RecordCodec } from "@crosszone/service-kit";
import { columnText, createGroupCommit, now, peopleColumn, retryBriefly } from "@crosszone/sql";
import { sql } from "kysely";
import { answerConditions, type ConditionAnswers } from "../expressions/answer-conditions.ts";
import { checkInputOnThread, type RequestBy } from "../definition/request-thread.ts";
import { auditedValue, bytesOf, newRun, treeLimits } from "../steps/run-record.ts";
import { summaryOf, summaryOfRun } from "../store/present-run.ts";
import type { RunRow, UnchangingRunRow } from "../store/run-row.ts";
import { startsRuns, TreeRooms } from "../store/run-trees.ts";
import { runContext, type RunOrigin, type RunRequester, type StoredRun } from "../store/stored-run.ts";
import type { FoundVersion, VersionStore } from "../store/version-store.ts";
import { commitTurns, type TurnDeps } from "./commit-turns.ts";
import { type Turn, turnOf } from "./turn.ts";

interface NewRun {
  readonly run: StoredRun;
  readonly requestKey: string | null;
  readonly definition: string;
  /** Ids and names of its requester. */
  readonly people: readonly (string | undefined)[];
  /** The conditions that its first steps need. */
  readonly answers: ConditionAnswers;
  readonly act?: NewAuditEvent | undefined;
}

/** Maximum number of runs in one write, if they are small. */
const mostRuns = 100;

/**
 * Returns a function that stores a run with its first steps and calls in one change, so that every stored run is started.
 * Concurrent runs share a write. Resolves with the stored run; undefined if another run has its id or its request key.
 */
function createStoreNewRun(deps: TurnDeps): (item: NewRun) => Promise<StoredRun | undefined> {
  const { database, clock, codec } = deps;

  async function readClock(): Promise<number> {
    const { rows } = await sql<{ at: number }>`select ${now(database.engine)} as at`.execute(database.db);
    const at = rows[0]?.at ?? Date.now();
    clock.learn(at);
    return at;
  }

  async function commit(items: readonly NewRun[]): Promise<readonly (StoredRun | undefined)[]> {
    // Of several requests with one id, the first is stored; the others find its run.
    const byId = Map.groupBy(items, ({ run }) => run.record.run_id);
    const firstOf = (runId: string): NewRun => byId.get(runId)?.[0] as NewRun;
    const at = clock.now() ?? (await readClock());
    const rowOf = (run: StoredRun) => unchangingRow(run, firstOf(run.record.run_id), codec);
    const all = new Map<NewRun, StoredRun>();
    // Other runs of its tree may take the room that a run was started in.
    for (let left = [...byId.keys()].map(firstOf); left.length > 0;) {
      const runs = left.map(({ run }) => run);
      const rooms = await TreeRooms.read(database, runs);
      const turns = new Map(left.map((item) => [startedAt(item.run, at, { ...item, rooms }), item]));
      const { stored, refused, confirm } = await commitTurns(deps, [...turns.keys()], { rowOf });
      confirm();
      for (const [turn, run] of stored) all.set(turns.get(turn) as NewRun, run);
      left = refused.map((turn) => turns.get(turn) as NewRun);
    }
    return items.map((item) => all.get(item));
  }

  return createGroupCommit(commit, { most: mostRuns, sizeOf: ({ run }) => run.bytes });
}

function startedAt(
  run: StoredRun,
  at: number,
  { answers, act, rooms }: Pick<NewRun, "answers" | "act"> & { readonly rooms?: TreeRooms },
): Turn {
  const before = { ...run, createdAt: at, record: { ...run.record, updated_at: at } };
  const items = [{ runId: run.record.run_id, event: { type: "run_started" }, answers, act }] as const;
  const turn = turnOf(before, items, { at, room: rooms?.of(before) });
  rooms?.take(turn);
  return turn;
}

/** Evaluates the conditions that a run's first steps need. */
async function answersToStart(run: StoredRun): Promise<ConditionAnswers> {
  const answers: ConditionAnswers = new Map();
  for (let usedMs = 0; ;) {
    const { asks } = startedAt(run, run.createdAt, { answers });
    if (asks === undefined) return answers;
    usedMs = await answerConditions(asks, answers, usedMs);
  }
}

/** Returns the columns of a run that never change. */
function unchangingRow(
  { record: { run_id }, plan, origin, team, createdAt }: StoredRun,
  { requestKey, definition, people }: NewRun,
  codec: RecordCodec,
): UnchangingRunRow {
  const { correlation_id, requester, tree_id = null, parent_id = null, ...rest } = origin;
  const sealed = requester && codec.toColumn(requester, runContext("requester", run_id));
  const { workflow_id, version, name } = plan.definition;
  return {
    request_key: requestKey,
    workflow_id,
    version,
    name: columnText(name),
    created_at: createdAt,
    team,
    people: peopleColumn(people),
    correlation_id: columnText(correlation_id),
    tree_id,
    parent_id,
    record: JSON.stringify({ ...rest, requester: sealed }),
    definition,
    input: codec.toColumn(plan.input, runContext("input", run_id)),
  };
}

export interface WorkflowLimits {
  /** Default deadline of a run, milliseconds. */
  readonly deadlineMs: number;
  /** Default timeout of an agent step, milliseconds. */
  readonly stepTimeoutMs: number;
  /** Maximum number of concurrent tasks of one run. */
  readonly maxRunning: number;
  /** Maximum total size of a run's input and of all inputs, outputs and errors of its steps, bytes of JSON. */
  readonly maxRunBytes: number;
  /** How long an ended run is stored, milliseconds. */
  readonly retentionMs: number;
}

/** The `reply-to` of a run's calls: workflows receive their results. */
const replyTo = "workflow";

/** Returns a name of a requester that no other has: Slack ids are unique in their team. */
const nameOf = ({ team_id: team, requester }: RunRequester = {}): string | undefined =>
  team === undefined || requester === undefined ? requester : `${team} ${requester}`;

/** Returns the problems of a run's input; empty when the run can start. */
async function inputProblems(
  input: unknown,
  schema: object | undefined,
  { most, ...by }: RequestBy & { readonly most: number },
): Promise<readonly ParamProblem[]> {
  const bytes = bytesOf(input);
  if (bytes > most)
    return [{ pointer: "", message: `must be smaller: it has ${bytes} bytes, and a run can have ${most}` }];
  return schema ? checkInputOnThread(schema, input, by) : [];
}

function unstoredRun(
  { planOf, limits }: StartDeps,
  { definition, text }: FoundVersion,
  asked: StartRunOptions & { readonly run_id: string; readonly request: StartRunRequest },
): StoredRun {
  const { run_id, request, headers = {}, requester, inside } = asked;
  const { input = {}, deadline_ms: requestedMs = Infinity } = request;
  const origin: RunOrigin = {
    correlation_id: request.correlation_id ?? run_id,
    headers: { ...headers, "reply-to": replyTo },
    limits: {
      deadline_ms: Math.min(definition.deadline_ms ?? limits.deadlineMs, requestedMs),
      step_timeout_ms: limits.stepTimeoutMs,
      max_running: limits.maxRunning,
      max_bytes: limits.maxRunBytes,
      tree: treeLimits,
    },
    requester,
    ...(inside ?? { tree_id: startsRuns(definition) ? run_id : undefined }),
  };
  const record = newRun({ run_id, at: 0, input, limits: origin.limits });
  return {
    plan: { ...planOf(text), input },
    record,
    revision: 0,
    stateRevision: 0,
    lastRequest: null,
    origin,
    team: ownerColumn(headers),
    createdAt: 0,
    bytes: text.length + record.bytes,
  };
}

interface StartRunOptions {
  /** A repeated request with the same key returns the same run. Must include the caller's name, because keys are global. */
  readonly idempotencyKey?: string;
  /** Chosen by the caller; a repeated request with the same id returns the same run. Replaces the key. */
  readonly runId?: string;
  /** Aborted when nobody waits for the start any more. It has no effect on a run that has started. */
  readonly signal?: AbortSignal;
  /** Headers of all calls of the run: `data-owner` is its owner, `traceparent` its trace. */
  readonly headers?: CallHeaders;
  readonly requester?: RunRequester;
  /** To find the run by. */
  readonly requesterName?: string | undefined;
  /** Who starts it over the API. */
  readonly by?: Author;
  /** Whose turn the check of the input uses, if that is neither `by` nor the requester. */
  readonly caller?: string | undefined;
  /** The runs around it, if a step starts it. */
  readonly inside?: Pick<RunOrigin, "depth" | "tree_id" | "parent_id">;
}

/** The outcome of a request to start a run. */
export type StartedRun =
  | { readonly outcome: "started" | "repeated"; readonly run: WorkflowRunSummary }
  | { readonly outcome: "unknown_workflow" }
  /** The input does not match the workflow's schema. */
  | { readonly outcome: "invalid_input"; readonly problems: readonly ParamProblem[] }
  /** A step that waits for people names nobody who can be asked; `reason` is a sentence. */
  | { readonly outcome: "nobody_decides"; readonly reason: string }
  /** The idempotency key or the run id was used for another request. */
  | { readonly outcome: "key_reused" };

export type StartRun = (request: StartRunRequest, options?: StartRunOptions) => Promise<StartedRun>;

/** Returns why nobody can decide what a step asks, as the rest of a sentence; undefined when somebody can. */
export type WhyNobody = (
  step: HumanStep,
  of: { readonly workflow_id: string; readonly requester: RunRequester | undefined },
) => Promise<string | undefined>;

/** Rejects with a `ZoneError` `rate_limited` when too much is stored for an actor to store so many bytes more. */
export type MayStore = (actor: string, bytes: number) => Promise<void>;

interface StartDeps extends TurnDeps {
  readonly versions: VersionStore;
  readonly limits: WorkflowLimits;
  /** When absent, a run learns it at the step. */
  readonly whyNobody?: WhyNobody | undefined;
  readonly mayStore?: MayStore | undefined;
}

/** Returns a function that starts runs. A repeated request returns the run of the first one. An invalid request returns its problems. */
export function createStartRun(deps: StartDeps): StartRun {
  const { codec, versions, limits } = deps;
  const store = createStoreNewRun(deps);

  return async (request, options = {}) => {
    const { idempotencyKey, runId, signal, headers = {}, requester, requesterName, by, inside } = options;
    if (runId !== undefined && !isRunId(runId))
      throw new TypeError("runId must have 1 to 64 letters, digits, - and _, and begin with a letter or a digit");
    // Runs with a caller's id share no key, so that inserting them in one order is enough to avoid deadlocks.
    const hasKey = idempotencyKey !== undefined && runId === undefined;
    const requestKey = hasKey ? hash("sha256", idempotencyKey, "base64url") : null;
    const { input = {} } = request;
    const known = await retryBriefly(() => findRun(deps, runId, requestKey));
    if (known) return repeated(known, request, codec);
    const found = await retryBriefly(() => versions.find(request.workflow_id, request.version));
    if (found === undefined) return { outcome: "unknown_workflow" };
    const problems = await inputProblems(input, found.definition.input_schema, {
      most: limits.maxRunBytes,
      signal,
      caller: options.caller ?? by?.actor ?? nameOf(requester),
    });
    if (problems.length > 0) return { outcome: "invalid_input", problems };
    if (requester?.requester !== undefined)
      await deps.mayStore?.(requester.requester, bytesOf(input) + Buffer.byteLength(found.text));
    const reason = await nobodyDecides(deps, found, requester);
    if (reason !== undefined) return { outcome: "nobody_decides", reason };

    const run_id = runId ?? randomUUID();
    const named = requester && { ...requester, name: requesterName };
    const run = unstoredRun(deps, found, { run_id, request, headers, requester: named, inside });
    // Retried with the same id, so that a commit whose response was lost is found.
    const answers = await answersToStart(run);
    const act = by && startAct(by, run);
    const people = [requester?.requester, requesterName];
    const stored = await retryBriefly(() => store({ run, requestKey, definition: found.text, people, answers, act }));
    if (stored) return { outcome: "started", run: summaryOfRun(stored) };
    const other = await retryBriefly(() => findRun(deps, run_id, requestKey));
    if (other === undefined) throw new Error("the run was not stored, and nothing conflicts with it; start it again");
    const isOwn = runId === undefined && other.run_id === run_id;
    return isOwn ? { outcome: "started", run: summaryOf(other, codec) } : repeated(other, request, codec);
  };
}

/** Returns a sentence when a step asks people, and there are none. Otherwise the run would do its first steps in vain. */
async function nobodyDecides(
  { whyNobody }: StartDeps,
  { definition: { workflow_id, steps } }: FoundVersion,
  requester: RunRequester | undefined,
): Promise<string | undefined> {
  for (const step of Object.values(steps)) {
    if (step?.type !== "human") continue;
    const why = await whyNobody?.(step, { workflow_id, requester });
    if (why !== undefined) return `The step "${step.title ?? step.id}" ${why}.`;
  }
  return undefined;
}

function startAct(by: Author, { record: { run_id: id }, plan: { definition, input } }: StoredRun): NewAuditEvent {
  const { workflow_id, version } = definition;
  const act = { action: "run.start", target: { type: "run", id }, details: { workflow_id, version } };
  return { ...authorAct(by, { ...act, content: { input: auditedValue(input) } }), id: `start-${id}` };
}

async function findRun(
  { database }: StartDeps,
  runId: string | undefined,
  key: string | null,
): Promise<RunRow | undefined> {
  const runs = database.db.selectFrom("workflow_run").selectAll();
  const own = runId === undefined ? undefined : await runs.where("run_id", "=", runId).executeTakeFirst();
  return own ?? (key === null ? undefined : await runs.where("request_key", "=", key).executeTakeFirst());
}

function repeated(
  row: RunRow,
  { workflow_id, version = row.version, input = {} }: StartRunRequest,
  codec: RecordCodec,
): StartedRun {
  const known = codec.fromColumn(row.input, runContext("input", row.run_id));
  // Compare as stored: JSON has no -0.
  const requested = JSON.parse(JSON.stringify(input)) as unknown;
  const isSame = row.workflow_id === workflow_id && row.version === version && isDeepStrictEqual(known, requested);
  return isSame ? { outcome: "repeated", run: summaryOf(row, codec) } : { outcome: "key_reused" };
}
