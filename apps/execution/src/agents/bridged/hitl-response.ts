import type { HitlQuestion, HitlRequest } from "@crosszone/agent-bridge";
import type { InputRequest } from "@crosszone/contracts";
import type { JsonObject } from "@crosszone/service-kit/json";
import type { RunInputs } from "../task-paused.ts";
import { type AgentRequest, askedInputs, formFields, inputKey } from "./asked-inputs.ts";

/**
 * Returns the response to a request whose inputs are decided, and uses the approvals in it. Anything but an approval that is used now
 * rejects its tool. The agent learns the verdicts and their reasons, and nothing about the people.
 */
export async function hitlResponse(
  asked: AgentRequest<HitlRequest>,
  { decided, use }: Pick<RunInputs, "decided" | "use">,
): Promise<JsonObject> {
  const { request } = asked;
  if (request.type === "ask_user") {
    const answers = answersTo(request.questions, decided.get(inputKey(asked, 0)));
    return { type: "ask_user_response", id: request.id, answers: answers.map((answer) => ({ answer })) };
  }
  const approvals: JsonObject[] = [];
  for (const [index, { key, action }] of askedInputs(asked).entries()) {
    const decision = decided.get(key);
    const isApproved = decision?.state === "approved" || decision?.state === "used";
    const verdict = isApproved && action !== undefined ? await use(key, action) : decision?.state;
    const approved = verdict === "allowed" || verdict === "again";
    const rejection_reason = approved ? undefined : reasonOf(decision, verdict);
    approvals.push({ id: request.tools[index]?.id, approved, ...(rejection_reason && { rejection_reason }) });
  }
  return { type: "tool_approval_response", approvals };
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["expired", "No decision was made in time."],
  ["withdrawn", "The request was withdrawn."],
  ["void", "The approval was not used in time."],
  ["changed", "The call is not the one that was approved."],
]);

/** Returns why there is no approval or answer; undefined for a denial without a reason. */
const reasonOf = (decision: InputRequest | undefined, verdict: string | undefined): string | undefined =>
  decision?.answer?.verdict === "deny" ? decision.answer.reason : reasons.get(verdict);

/** Returns the answers to each question. The protocol has no refusal, so without a reply each says why. */
function answersTo(
  questions: readonly HitlQuestion[],
  decision: InputRequest | undefined,
): readonly (readonly string[])[] {
  if (decision?.answer?.verdict !== "answer")
    return questions.map(() => [`No answer. ${reasonOf(decision, decision?.state) ?? "The person declined."}`]);
  const { value, values = {} } = decision.answer;
  if (value !== undefined) return [[value]];
  const fields = formFields(questions);
  return questions.map((_question, at) =>
    fields
      .filter(({ question, name }) => question === at && (values[name] ?? false) !== false)
      .map(({ name, choice }) => choice ?? String(values[name])),
  );
}
