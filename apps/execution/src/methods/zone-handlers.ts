import {
  type GetAsyncTaskResultParams,
  type GetAsyncTaskResultResult,
  type ZoneMethods,
  zoneMethods,
} from "@crosszone/contracts";
import { type Handlers, createDispatcher, defaultLimits, errorToJson, type Dispatch } from "@crosszone/jsonrpc";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { Agent } from "../agents/agent.ts";
import { errorForCallers } from "../database/open-execution-database.ts";
import { executeTask } from "./execute-task.ts";
import { answerInput, claimInputRequest, getInputRequest, listInputRequests } from "./input-methods.ts";
import { findTask, inputRequired, readTaskFile, resultOf, retriedTask } from "./read-task.ts";
import type { RequestContext } from "./request-context.ts";
import { isFinal, taskIds } from "../tasks/task.ts";
import { showUntilSettled, waitForNews } from "./wait-for-task.ts";
import { beginSpan, reportMessage } from "./report-message.ts";
import type { ZoneParts } from "./zone-parts.ts";

/**
 * `get_async_task_result`: returns the task's result, or its progress while it runs, in whichever process. A failed
 * workflow whose run an operator retries is working again, and then has the run's new result.
 */
async function getAsyncTaskResult(
  parts: ZoneParts,
  { task_id, wait_ms = 0, seen_progress: seen, since_seq: sinceSeq = 0 }: GetAsyncTaskResultParams,
  { caller, signal, notify }: RequestContext,
): Promise<GetAsyncTaskResultResult> {
  const { agents, store, runner, emit } = parts;
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
  const waitMs = Math.min(wait_ms, parts.limits.maxWaitMs);
  const task = notify
    ? await showUntilSettled(found, { runner, progress, sinceSeq, waitMs, notify, signal, onFailed })
    : await waitForNews(found, { runner, progress, seen, waitMs, signal, onFailed });
  if (isFinal(task.state)) return resultOf(task, agents.defaultName);
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

/** Creates the handlers of the zone link's methods. */
export function createZoneHandlers(parts: ZoneParts): Handlers<ZoneMethods, RequestContext> {
  const { agents, store, runner, describeZone, usageOf, checkToken } = parts;
  return {
    execute_task: (params, context, call) => executeTask(parts, params, { context, call }),

    get_async_task_result: (params, context) => getAsyncTaskResult(parts, params, context),

    cancel_task: async ({ task_id }, { caller }) => {
      const task = await findTask(store, task_id, caller);
      if (task.state !== "canceled") await runner.cancel(task);
      return { task_id, status: "canceled" };
    },

    answer_input: (params, { caller }) => answerInput(parts, params, caller),

    get_input_request: ({ request_id }, { caller }) => getInputRequest(parts, request_id, caller),

    claim_input_request: (params, { caller }) => claimInputRequest(parts, params, caller),

    list_input_requests: (params, context) => listInputRequests(parts, params, context),

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

    read_task_file: (params, { caller }) => readTaskFile(parts, params, caller),

    get_usage: (params) => usageOf(params),

    get_agent_card: (_params, { origin }) => describeZone(origin?.()),

    check_token: (params) => checkToken(params),
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
