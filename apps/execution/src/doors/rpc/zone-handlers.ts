import {
  type ErrorKind,
  type GetAsyncTaskResultParams,
  type GetAsyncTaskResultResult,
  type Schedule,
  ZoneError,
  zoneMethods,
  type ZoneMethods,
} from "@crosszone/contracts";
import {
  createDispatcher,
  defaultLimits,
  type Dispatch,
  type MethodHandlers,
  type DispatchOutcome,
} from "@crosszone/jsonrpc";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Agent } from "../../agents/agent.ts";
import { personChanger, problemsInRequest, ScheduleRefusal } from "../../fires/changer.ts";
import { mostOfOwner } from "../../fires/schedule-store.ts";
import { errorForCallers } from "../../store/open-execution-database.ts";
import { isFinal, progressFailed } from "../../tasks/task.ts";
import { resetsAt } from "../../usage/budget.ts";
import {
  executeTask,
  type HandlerParts,
  ownTask,
  inputRequired,
  readTaskFile,
  type RequestContext,
  taskResultOf,
  retriedTask,
  showUntilSettled,
  waitForNews,
} from "./execute-task.ts";

/**
 * Reports a JSON-RPC message and ends its span. An error is logged once, where it arose: a task's in `task_failed`, a request's own in
 * `rpc_failed`. An answer that repeats a task's error logs only its kind.
 */
export function reportMessage(emit: Emit<ExecutionEvent>, outcome: DispatchOutcome, context: RequestContext): void {
  endSpan(outcome, context);
  const { error, kind } = outcome;
  const fields = fieldsOf(outcome, context);
  if (kind === undefined || isTasksOwn(error)) emit("rpc_answered", fields);
  else if (kind === "internal") emit("rpc_failed", { ...fields, cause: error });
  else emit("rpc_failed", { ...fields, problems: error instanceof ZoneError ? error.data.problems : undefined });
}

const isKnown = (method: string | undefined): method is string =>
  method !== undefined && Object.hasOwn(zoneMethods, method);

function fieldsOf(
  { method, id, correlationId, durationMs, bytesIn, error, code, kind }: DispatchOutcome,
  { caller, requestId, traceparent }: RequestContext,
) {
  return {
    correlation_id: correlationId,
    request_id: id,
    operation: isKnown(method) ? method : "unknown",
    asked_by: caller,
    bytes_in: bytesIn,
    duration_ms: durationMs,
    http_request_id: requestId,
    traceparent,
    kind,
    code,
    task_id: error instanceof ZoneError ? error.data.task_id : undefined,
  };
}

/** Errors of the request itself. They name the task too, but are not its outcome. */
const requestsOwn: ReadonlySet<ErrorKind> = new Set(["task_not_found", "invalid_state_transition"]);

/** Whether an error repeats a task's outcome; the runner has already logged it. */
function isTasksOwn(error: unknown): boolean {
  return error instanceof ZoneError && error.data.task_id !== undefined && !requestsOwn.has(error.kind);
}

/**
 * Starts the span of a message. The method is unknown until the message is parsed.
 * https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
function beginSpan(tracer: Tracer, context: RequestContext): void {
  const attributes = { "rpc.system.name": "jsonrpc", "jsonrpc.protocol.version": "2.0" };
  context.span = tracer.start("jsonrpc", { kind: "server", traceparent: context.traceparent, attributes });
  context.traceparent = context.span.traceparent;
}

/** Ends the span with the message's outcome. Omits the name of an unknown method, because the caller made it up. */
function endSpan({ method, id, correlationId, kind, code }: DispatchOutcome, { span }: RequestContext): void {
  span?.end({
    name: isKnown(method) ? method : undefined,
    error: kind,
    attributes: {
      "rpc.method": isKnown(method) ? method : "_OTHER",
      "jsonrpc.request.id": id === undefined ? undefined : String(id ?? ""),
      "rpc.status_code": code === undefined ? undefined : String(code),
      "crosszone.correlation_id": correlationId,
    },
  });
}

/**
 * `get_async_task_result`: returns the task's result, or its progress while it runs, in whichever process. A failed
 * workflow whose run an operator retries is working again, and then has the run's new result.
 */
async function getAsyncTaskResult(
  parts: HandlerParts,
  { task_id, wait_ms = 0, seen_progress: seen, since_seq: sinceSeq = 0 }: GetAsyncTaskResultParams,
  { caller, signal, notify }: RequestContext,
): Promise<GetAsyncTaskResultResult> {
  const { agents, store, runner, emit } = parts;
  const found = await ownTask(store, task_id, caller);
  if (isFinal(found.state)) {
    const ended = await retriedTask(found, agents);
    return ended === "working" ? { status: "working", task_id } : taskResultOf(ended, agents.defaultName);
  }
  const onFailed = progressFailed(emit, found);
  const progress = (await agents.resolve(found.agent).catch(onFailed))?.progress;
  const waitMs = Math.min(wait_ms, parts.limits.maxWaitMs);
  const task = notify
    ? await showUntilSettled(found, { runner, progress, sinceSeq, waitMs, notify, signal, onFailed })
    : await waitForNews(found, { runner, progress, seen, waitMs, signal, onFailed });
  if (isFinal(task.state)) return taskResultOf(task, agents.defaultName);
  const waits = await inputRequired(parts, task, notify);
  if (waits !== undefined) return waits;
  const here = runner.shownOf(task_id);
  const isHere = progress === undefined || here?.showsProgress === true;
  const shown = isHere ? here?.progress : await progress.read(task_id).catch(onFailed);
  return { status: "working", task_id, progress: shown };
}

/** The most characters of what agents say of themselves in one list. Verification accepts messages of 4 MiB. */
const mostOfAgents = 1_000_000;
const shortest = 200;

/** Returns the agents without what does not fit into one list: input schemas first, then skills and long descriptions. */
function withoutLarge(all: readonly Agent[]): readonly Agent[] {
  let room = mostOfAgents;
  return all.map((agent) => {
    const withoutSchema = { ...agent, inputSchema: undefined };
    const short = { ...withoutSchema, description: agent.description.slice(0, shortest), skills: [] };
    const sizeOf = ({ description, inputSchema, skills }: Agent): number =>
      JSON.stringify([description, inputSchema, skills]).length;
    const shown = [agent, withoutSchema].find((one) => sizeOf(one) <= room) ?? short;
    room -= sizeOf(shown);
    return shown;
  });
}

function foundInput<Value>(found: Value | undefined): Value {
  if (found !== undefined) return found;
  throw new ZoneError("input_request_not_found");
}

/** Creates the handlers of the zone link's methods. */
function createZoneHandlers(parts: HandlerParts): MethodHandlers<ZoneMethods, RequestContext> {
  const { agents, store, runner, inputRequests, limits, describeZone } = parts;
  return {
    execute_task: (params, context, call) => executeTask(parts, params, { context, call }),

    get_async_task_result: (params, context) => getAsyncTaskResult(parts, params, context),

    get_run_change: async ({ task_id, seen_revision }, { caller }) => {
      const { agent, state } = await ownTask(store, task_id, caller);
      const run = isFinal(state) ? await agents.resolve(agent) : undefined;
      // One that failed again rejects with its new error. The result says what it is.
      const since = await run?.sinceFailure?.(task_id, seen_revision).catch(() => "failed");
      return { changed: !isFinal(state) || since !== undefined };
    },

    cancel_task: async ({ task_id }, { caller }) => {
      const task = await ownTask(store, task_id, caller);
      if (task.state !== "canceled") await runner.cancel(task);
      return { task_id, status: "canceled" };
    },

    /** Judges a person's answer, which verification vouches for. */
    answer_input: async ({ request_id, answer, by, voters, digest }, { caller }) => {
      const ballot = { answer, by, voters, digest, via: "slack" } as const;
      // Only who shows a request vouches for its people.
      if ((await inputRequests.find(request_id))?.shownBy !== caller) {
        await inputRequests.rejectUnknown(request_id, ballot, caller);
        throw new ZoneError("input_request_not_found");
      }
      return foundInput(await inputRequests.answer(request_id, ballot));
    },

    /** Returns a request that the caller shows or can claim. */
    get_input_request: async ({ request_id }, { caller }) => {
      const { request, shownBy } = foundInput(await inputRequests.find(request_id));
      return foundInput((shownBy ?? caller) === caller ? request : undefined);
    },

    /** Lets the caller ask the deciders, unless another caller does. */
    claim_input_request: async ({ request_id, team_id, names, unreachable }, { caller }) => {
      const request = foundInput(
        await inputRequests.claim(request_id, { by: caller, team_id }, { names, unreachable }),
      );
      if (names !== undefined) await parts.messages?.names.keep(team_id, names);
      return request;
    },

    /** Returns the requests that the caller shows or can claim, in the order of their last change. Waits for one. */
    list_input_requests: async (params, { caller, signal }) => {
      const { task_id: taskId, after_seq: afterSeq = 0, state, user_id: person } = params;
      const { limit = 100, wait_ms: waitMs = 0 } = params;
      if (taskId === undefined && waitMs > 0) await inputRequests.follow(caller);
      const how = { limit, waitMs: Math.min(waitMs, limits.maxWaitMs), signal };
      const found = await inputRequests.list({ shownBy: caller, taskId, afterSeq, state, person }, how);
      return { input_requests: [...found], last_seq: found.at(-1)?.seq ?? afterSeq };
    },

    list_agents: async () => ({
      agents: withoutLarge(await agents.list()).map(({ name, kind, description, inputSchema, skills }) => ({
        name,
        description,
        kind,
        input_schema: inputSchema,
        default: name === agents.defaultName,
        skills: skills.map((skill) => ({ ...skill, examples: [...skill.examples] })),
      })),
    }),

    list_person_tasks: async (params, { caller }) => ({ tasks: [...(await store.ofPerson(caller, params))] }),

    read_task_file: (params, { caller }) => readTaskFile(parts, params, caller),

    get_usage: parts.usageOf,

    get_agent_card: (_params, { origin }) => describeZone(origin?.()),

    check_token: parts.checkToken,

    ...createScheduleHandlers(parts),

    report_messages: async ({ messages }, { caller }) => ({
      acts: (await parts.messages?.report(messages, caller)) ?? [],
    }),
  };
}

type ScheduleMethod = "list_fires" | "take_fire" | "list_schedules" | "save_schedule" | "change_schedule";

/** Creates the handlers of schedules and fires. Verification vouches for the persons that it names. */
function createScheduleHandlers({ agents, schedules, limits }: HandlerParts) {
  return {
    /** Returns the fires that wait for the caller's teams. Waits for one. */
    list_fires: async (params, { signal }) => {
      const waitMs = Math.min(params.wait_ms ?? 0, limits.maxWaitMs);
      return { fires: [...(await schedules.fires.due(params, { waitMs, signal }))] };
    },

    take_fire: async (params, { caller }) => ({ state: await schedules.take(params, caller) }),

    list_schedules: async ({ team_id, user_id }) => ({
      schedules: (await schedules.page({ team_id, user_id }, mostOfOwner)).schedules.map(known),
    }),

    save_schedule: async (params) => {
      const { agent, owner } = params.settings;
      if ((await agents.resolve(agent)) === undefined) throw new ZoneError("unknown_agent", { agent });
      return { schedule: known(await unlessRefused(schedules.save(params, personChanger(owner)))) };
    },

    change_schedule: async ({ name, change, team_id, user_id }) => {
      const { schedule, fire } = await unlessRefused(
        schedules.change(name, change, personChanger({ team_id, user_id })),
      );
      return { schedule: schedule && known(schedule), fire };
    },
  } satisfies Pick<MethodHandlers<ZoneMethods, RequestContext>, ScheduleMethod>;
}

/** Returns a schedule with the members that every version of verification knows. */
const known = ({ request_id: _id, written_by: _by, warnings: _of, ...schedule }: Schedule): Schedule => schedule;

/** Throws the error of the contract for a refusal. */
async function unlessRefused<Result>(changing: Promise<Result>): Promise<Result> {
  try {
    return await changing;
  } catch (error) {
    if (!(error instanceof ScheduleRefusal)) throw error;
    const retry_after_ms = resetsAt("day", new Date()).getTime() - Date.now();
    if (error.kind === "cap") throw new ZoneError("rate_limited", { retry_after_ms });
    throw new ZoneError("invalid_params", { problems: problemsInRequest(error) });
  }
}

/** Creates the function that answers a JSON-RPC message of the zone link. */
export function createZoneDispatch(parts: HandlerParts): Dispatch<RequestContext> {
  const { tracer, limits } = parts;
  const { maxBytes, maxDepth } = limits;
  const dispatch = createDispatcher<ZoneMethods, RequestContext>({
    methods: zoneMethods,
    handlers: createZoneHandlers(parts),
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes, maxDepth },
    errorOf: errorForCallers,
    onOutcome: (outcome, context) => {
      context.correlationId = outcome.correlationId;
      reportMessage(parts.emit, outcome, context);
    },
  });
  return (message, context) => {
    if (tracer.recording) beginSpan(tracer, context);
    return dispatch(message, context);
  };
}
