import {
  type ErrorKind,
  type GetAsyncTaskResultParams,
  type GetAsyncTaskResultResult,
  ZoneError,
  type ZoneMethods,
  zoneMethods,
} from "@crosszone/contracts";
import {
  createDispatcher,
  defaultLimits,
  type Dispatch,
  errorToJson,
  type Handlers,
  type Outcome,
} from "@crosszone/jsonrpc";
import type { Emit } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { isFinal, taskIds } from "../tasks/task.ts";
import { executeTask } from "./execute-task.ts";
import { findTask, readTaskFile, resultOf, retriedTask } from "./read-task.ts";
import type { RequestContext } from "./request-context.ts";
import { showUntilFinal, waitForNews } from "./wait-for-task.ts";
import type { ZoneParts } from "./zone-parts.ts";

/**
 * `get_async_task_result`: returns the task's result, or its progress while it runs, in whichever process. A failed
 * workflow whose run an operator retries is working again, and then has the run's new result.
 */
async function getAsyncTaskResult(
  { agents, store, runner, limits: { maxWaitMs }, emit }: ZoneParts,
  { task_id, wait_ms = 0, seen_progress: seen, since_seq: sinceSeq = 0 }: GetAsyncTaskResultParams,
  { caller, signal, notify }: RequestContext,
): Promise<GetAsyncTaskResultResult> {
  const found = await findTask(store, task_id, caller);
  if (isFinal(found.state)) {
    const ended = await retriedTask(found, agents);
    return ended === "working" ? { status: "working", task_id } : resultOf(ended, agents.defaultName);
  }
  // The request still succeeds.
  const onFailed = (cause: unknown): undefined => {
    emit("task_progress_failed", { ...taskIds(found), cause });
  };

  const progress = (await agents.resolve(found.agent).catch(onFailed))?.progress;
  const waitMs = Math.min(wait_ms, maxWaitMs);
  const task = notify
    ? await showUntilFinal(found, { runner, progress, sinceSeq, waitMs, notify, signal, onFailed })
    : await waitForNews(found, { runner, progress, seen, waitMs, signal, onFailed });
  if (isFinal(task.state)) return resultOf(task, agents.defaultName);
  const here = runner.shownOf(task_id);
  const isHere = progress === undefined || here?.showsProgress === true;
  const shown = isHere ? here?.progress : await progress.read(task_id).catch(onFailed);
  return { status: "working", task_id, progress: shown };
}

/** Creates the handlers of the zone link's methods. */
export function createZoneHandlers(parts: ZoneParts): Handlers<ZoneMethods, RequestContext> {
  const { agents, store, runner, describeZone, usageOf } = parts;
  return {
    execute_task: (params, context, call) => executeTask(parts, params, { context, call }),

    get_async_task_result: (params, context) => getAsyncTaskResult(parts, params, context),

    cancel_task: async ({ task_id }, { caller }) => {
      const task = await findTask(store, task_id, caller);
      if (task.state !== "canceled") await runner.cancel(task);
      return { task_id, status: "canceled" };
    },

    list_agents: async () => ({
      agents: (await agents.list()).map(({ name, kind, description, skills }) => ({
        name,
        description,
        kind,
        default: name === agents.defaultName,
        skills: skills.map((skill) => ({ ...skill, examples: [...skill.examples] })),
      })),
    }),

    read_task_file: (params, { caller }) => readTaskFile(parts, params, caller),

    get_usage: (params) => usageOf(params),

    get_agent_card: (_params, { origin }) => describeZone(origin?.()),
  };
}

/** Creates the function that answers a JSON-RPC message of the zone link: at most `maxBytes` long, and nested in at most `maxDepth` levels. */
export function createZoneDispatch(
  parts: ZoneParts,
  { tracer, maxBytes, maxDepth }: { readonly tracer: Tracer; readonly maxBytes: number; readonly maxDepth: number },
): Dispatch<RequestContext> {
  const dispatch = createDispatcher<ZoneMethods, RequestContext>({
    methods: zoneMethods,
    handlers: createZoneHandlers(parts),
    batches: "refuse",
    limits: { ...defaultLimits, maxBytes, maxDepth },
    errorToJson,
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

/**
 * Reports a JSON-RPC message and ends its span. An error is logged once, where it arose: a task's in `task_failed`, a request's own in
 * `rpc_failed`. An answer that repeats a task's error logs only its kind.
 */
export function reportMessage(emit: Emit<ExecutionEvent>, outcome: Outcome, context: RequestContext): void {
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
  { method, id, correlationId, durationMs, bytesIn, error, code, kind }: Outcome,
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
function endSpan({ method, id, correlationId, kind, code }: Outcome, { span }: RequestContext): void {
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
