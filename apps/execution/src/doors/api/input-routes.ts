import {
  ApiProblem,
  correctThem,
  narrowing,
  page,
  readQuery,
  readValidBody,
  textThat,
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  type QueryMember,
  type TokenHolder,
} from "@crosszone/admin-api";
import {
  type AuditReceipt,
  type InputRequest,
  type InputRequestList,
  type InputWithdrawal,
  isInputDecision,
  isInputState,
  isInputWithdrawal,
  isRunId,
  isTaskId,
  ZoneError,
} from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import { decidersSentence } from "@crosszone/service-kit/text";
import type { Ballot } from "../../people/decide.ts";
import type { InputRequests } from "../../people/input-requests.ts";

const cursor: QueryMember<number | undefined> = (value, wrong) => {
  if (value === undefined || /^\d{1,15}$/.test(value)) return value === undefined ? undefined : Number(value);
  wrong("must be the `next_cursor` of the page before");
  return undefined;
};

const listQuery = {
  limit: page.limit,
  cursor,
  ...narrowing,
  state: textThat(isInputState, "must be the state of an input request"),
  task_id: textThat(isTaskId, "must be the id of a task"),
  run_id: textThat(isRunId, "must be the id of a run"),
};

const problems = {
  input_request_not_found: { kind: "input_request_not_found", status: 404, title: "Input request not found" },
  not_a_decider: { kind: "not_a_decider", status: 403, title: "You are not a decider" },
  no_receipt: { kind: "no_receipt", status: 404, title: "There is no receipt" },
  invalid_answer: { kind: "invalid_answer", status: 422, title: "The answer is not valid" },
};

/** More bytes than the values of a form have. */
const bodyRules = { maxBytes: 65_536, invalid: problems.invalid_answer };

/** Creates the part of the API that shows, answers and withdraws input requests. `receiptOf`: proves a decision by its event. */
export function createInputRoutes(
  requests: InputRequests,
  receiptOf: (eventId: string) => Promise<AuditReceipt | undefined>,
): ApiPart {
  async function list({ request }: ApiExchange): Promise<ApiContent> {
    const { limit, cursor: beforeSeq, task_id: taskId, run_id: runId, ...query } = readQuery(request.url, listQuery);
    const runIds = runId === undefined ? undefined : [runId];
    const { records, next } = await requests.page({ ...query, beforeSeq, taskId, runIds }, limit);
    const body: InputRequestList = { input_requests: records.map((one) => one.request), next_cursor: next?.toString() };
    return { status: 200, body };
  }

  async function answer({ request, params, holder, from }: ApiExchange): Promise<ApiContent> {
    const body = await readValidBody(request, isInputDecision, bodyRules);
    const { request: asked } = found(await requests.find(params["request_id"] ?? ""));
    const ballot: Ballot = { ...body, ...voterOf(holder, asked), from };
    const result = found(await requests.answer(asked.request_id, ballot).catch(refuse));
    if (result.outcome !== "not_eligible") return { status: 200, body: result };
    throw notADecider(holder, asked);
  }

  async function receipt({ params }: ApiExchange): Promise<ApiContent> {
    const { state, decision_event: id } = found(await requests.find(params["request_id"] ?? "")).request;
    const body = id === undefined ? undefined : await receiptOf(id);
    if (body !== undefined) return { status: 200, body };
    const why = id === undefined ? `It is ${state}: no person decided it.` : "Its audit event was removed.";
    throw new ApiProblem(problems.no_receipt, why);
  }

  return {
    document: openApi("input"),
    paths: {
      "/input-requests": { get: list },
      "/input-requests/{request_id}": {
        get: async ({ request, params }) => {
          readQuery(request.url, {});
          return { status: 200, body: found(await requests.find(params["request_id"] ?? "")).request };
        },
      },
      "/input-requests/{request_id}/receipt": { get: receipt },
      "/input-requests/{request_id}/answer": { post: answer },
      "/input-requests/{request_id}/withdraw": {
        post: async ({ request, params, ...by }) => {
          const { "content-length": length = "0", "transfer-encoding": encoding } = request.headers;
          const isEmpty = encoding === undefined && length === "0";
          const { reason } = isEmpty ? {} : await readValidBody<InputWithdrawal>(request, isInputWithdrawal, bodyRules);
          const because = `Withdrawn by ${by.holder.person?.name ?? by.actor}.`;
          const withdrawn = await requests.withdraw(params["request_id"] ?? "", because, { ...by, reason });
          return { status: 200, body: found(withdrawn) };
        },
      },
    },
  };
}

/** Returns who votes with a token, or with the session of a person: the Slack user of the claims, or who started the run. */
function voterOf(holder: TokenHolder, asked: InputRequest): Pick<Ballot, "by" | "via" | "signedIn"> {
  const { actor, person } = holder;
  if (person === undefined || asked.requester === actor) return { by: { user_id: actor, groups: [] }, via: "api" };
  const { slackUser: user_id, slackTeam: team_id } = person;
  if (user_id !== undefined) return { by: { user_id, team_id, groups: [] }, via: "console", signedIn: actor };
  throw notADecider(holder, asked, ", and your sign-in names no Slack user");
}

const notADecider = ({ actor, person }: TokenHolder, asked: InputRequest, why = ""): ApiProblem =>
  new ApiProblem(problems.not_a_decider, `${decidersSentence(asked)} You are ${person?.name ?? actor}${why}.`);

function refuse(error: unknown): never {
  if (!(error instanceof ZoneError) || error.kind !== "invalid_params") throw error;
  throw new ApiProblem(problems.invalid_answer, correctThem, { problems: error.data.problems ?? [] });
}

function found<Value>(value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ApiProblem(problems.input_request_not_found, "List the input requests to see their ids.");
}
