import {
  operationRequest,
  type OperationAsk,
  type OperationId,
  type Operations,
} from "@crosszone/contracts/operations";
import { problemsOf, type Validator } from "@crosszone/contracts";
import { type Answered, answers } from "../generated/operations.ts";
import { askAgent, type AskedQuestion } from "./ask-agent.ts";
import { runEvents, type RunEventsOptions } from "./run-events.ts";
import { type ApiRequest, readJson, retryRequest, send, UnreachableError, type ZoneAddress } from "./send.ts";

/** What an operation answers. */
export type AnswerOf<Id extends OperationId> = Operations[Id]["result"];

/** The values of a request by name, read from a command line: those of its path and query, and its `body`. */
export type GivenValues = Readonly<Record<string, unknown>> & {
  readonly body?: unknown;
  readonly "idempotency-key"?: string;
};

/** Changes that can be repeated when a response was lost: they have a key or an id, or a second one changes nothing. */
const repeatable: ReadonlySet<OperationId> = new Set<OperationId>([
  "approveMcpTools",
  "cancelRun",
  "changeSchedule",
  "checkAgent",
  "createWorkflowVersion",
  "disableAgent",
  "enableAgent",
  "pauseSchedule",
  "publishEvent",
  "resumeSchedule",
  "startBulkAction",
  "startRun",
  "validateWorkflow",
  "withdrawInputRequest",
]);

/** Timeout of a request, milliseconds: what takes longer has its own. */
const usualMs = 15_000;
const timeouts: Partial<Record<OperationId, number>> = {
  // The zone fetches the card, then gives the agent a minute.
  testAgent: 75_000,
  // A check of conformance takes at most half a minute.
  changeAgent: 60_000,
  checkAgentConformance: 60_000,
  // Some agents are checked at once.
  migrateAgents: 900_000,
};

/** Sends a request once, and reads its answer. */
async function once<T>(zone: ZoneAddress, is: Validator<T>, request: ApiRequest & { readonly timeoutMs: number }) {
  const response = await send(zone, request, AbortSignal.timeout(request.timeoutMs));
  const text = await response.text().catch((error: unknown) => {
    throw new UnreachableError(`${zone.url} closed the connection before the response was complete. ${zone.hint}`, {
      cause: error,
    });
  });
  const read = response.status === 204 ? { value: undefined } : readJson(text);
  if ("value" in read && is(read.value)) return read.value;
  const [problem] = "value" in read ? problemsOf(is, read.value) : [{ pointer: "", message: "the body is not JSON" }];
  const what = `${problem?.pointer ?? ""} ${problem?.message ?? ""}`.trim();
  throw new UnreachableError(`${zone.url} sent a response that this version of crosszone can't read: ${what}.`, {
    isTransient: false,
  });
}

/** Client of a zone's API. Everything rejects with `RefusedError` or `UnreachableError`. */
export type ApiClient = ReturnType<typeof createApiClient>;

export function createApiClient(zone: ZoneAddress) {
  /** Calls an operation with values that were read from a command line: the zone checks them. A read, and what is `repeatable`, is retried. */
  async function callWith<Id extends Answered>(id: Id, given: GivenValues): Promise<AnswerOf<Id>> {
    const { "idempotency-key": key, ...values } = given;
    const headers = key === undefined ? undefined : { "idempotency-key": key };
    const request = { ...operationRequest(id, values), headers, timeoutMs: timeouts[id] ?? usualMs };
    const attempt = () => once(zone, answers[id], request);
    return request.method === "GET" || repeatable.has(id) ? retryRequest(attempt) : attempt();
  }

  return {
    callWith,
    /** Calls an operation. */
    call: <Id extends Answered>(id: Id, ask: OperationAsk<Id>): Promise<AnswerOf<Id>> => callWith(id, ask),
    /** The response to an operation, whose body is read as it comes. */
    open: <Id extends OperationId>(id: Id, ask: OperationAsk<Id>, signal: AbortSignal) =>
      send(zone, operationRequest(id, ask), signal),
    /** The events of a run. */
    events: (runId: string, options: RunEventsOptions) => runEvents(zone, runId, options),
    /** Asks an agent over the zone link. Also rejects with a `QuestionError`. */
    askAgent: (question: AskedQuestion) => askAgent(zone, question),
    /** URL of a run's page in the console; without a run, of the list. */
    pageOf: (runId?: string) => {
      const token = zone.pageToken === undefined ? "" : `#token=${encodeURIComponent(zone.pageToken)}`;
      return `${zone.url}/console/runs${runId === undefined ? "" : `/${encodeURIComponent(runId)}`}${token}`;
    },
  };
}
