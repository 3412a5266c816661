import { type ApiPart, ApiProblem, invalidBody, serveApi, type TokenHolder } from "@crosszone/admin-api";
import { type AuditReceipt, type InputRequest, ZoneError } from "@crosszone/contracts";
import { decidersSentence } from "@crosszone/service-kit/text";
import type { Ballot } from "../../people/decide.ts";
import type { InputRequests } from "../../people/input-requests.ts";

/** Creates the part of the API that shows, answers and withdraws input requests. `receiptOf`: proves a decision by its event. */
export function createInputRoutes(
  requests: InputRequests,
  receiptOf: (eventId: string) => Promise<AuditReceipt | undefined>,
): ApiPart {
  const find = async (id: string): Promise<InputRequest> => found(await requests.find(id)).request;
  return serveApi("input", {
    listInputRequests: async ({ query: { limit, cursor, task_id: taskId, run_id: runId, ...query } }) => {
      const runIds = runId === undefined ? undefined : [runId];
      const { records, next } = await requests.page({ ...query, beforeSeq: cursor?.[0], taskId, runIds }, limit);
      return {
        input_requests: records.map(({ request }) => request),
        next_cursor: next === undefined ? undefined : [next],
      };
    },
    getInputRequest: ({ params }) => find(params.request_id),
    answerInputRequest: async ({ params, body, holder, by: { from } }) => {
      const asked = await find(params.request_id);
      const ballot: Ballot = { ...body, ...voterOf(holder, asked), from };
      const result = found(await requests.answer(asked.request_id, ballot).catch(refuse));
      if (result.outcome === "not_eligible") throw notADecider(holder, asked);
      return result;
    },
    withdrawInputRequest: async ({ params, body, holder, by }) => {
      const because = `Withdrawn by ${holder.person?.name ?? by.actor}.`;
      return found(await requests.withdraw(params.request_id, because, { ...by, reason: body?.reason }));
    },
    getInputReceipt: async ({ params }) => {
      const { state, decision_event: id } = await find(params.request_id);
      const receipt = id === undefined ? undefined : await receiptOf(id);
      if (receipt !== undefined) return receipt;
      const why = id === undefined ? `It is ${state}: no person decided it.` : "Its audit event was removed.";
      throw new ApiProblem("no_receipt", why);
    },
  });
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
  new ApiProblem("not_a_decider", `${decidersSentence(asked)} You are ${person?.name ?? actor}${why}.`);

function refuse(error: unknown): never {
  if (!(error instanceof ZoneError) || error.kind !== "invalid_params") throw error;
  throw invalidBody(error.data.problems);
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new ApiProblem("input_request_not_found");
  return value;
}
