import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { emitWith } from "@crosszone/service-kit";
import { retry } from "@crosszone/service-kit/timing";
import type { AnswerPress, PressRecord } from "../../inbox/records.ts";
import { SlackCallError } from "../../slack/slack-call-error.ts";
import { decide } from "../inputs/decide.ts";
import { failedReply } from "../inputs/press-reply.ts";
import { isRefusedForGood, slackRetryAfter } from "../posting/send-once.ts";
import type { Answering, Flow } from "../questions/attempt.ts";
import { actOnAnswer } from "./act-on-answer.ts";
import { rejectedAct } from "../../policy/policy-acts.ts";
import type { Acted, PressWork } from "../presses/pressers.ts";

/** A person may read the same sentence twice, but must read it. */
const tellRetry = { firstMs: 500, longestMs: 5_000, budgetMs: 30_000, retryAfter: slackRetryAfter };

/**
 * Makes the flow that works on a stored press: it does what was pressed, and tells its person, and nobody else, what became of it. Doing it
 * again changes nothing.
 */
export function createPressFlow(answering: Answering): Flow<"press"> {
  const { workspace, running, pressers, clock, emit: report, recordAct } = answering;
  return async (leased, lease) => {
    const signal = AbortSignal.any([lease, running.leaving]);
    signal.throwIfAborted();
    const { record } = leased;
    const { correlation_id, request_id, traceparent, user_id, channel, press } = record;
    const emit = emitWith(report, { correlation_id, request_id, traceparent, user_id, channel });
    const pressed = (outcome: string, failure?: unknown): void => {
      if (press.of === "input") emit("input_pressed", { input_id: press.id, outcome, failure });
      else emit("answer_pressed", { reference: press.id, verb: press.verb, outcome, failure });
    };
    const work: PressWork = { leased, signal, emit };
    const acting = press.of === "input" ? decide(answering, work, press) : actOnAnswer(answering, work, press);
    const { outcome, ...reply } = await acting.catch((failure: unknown): Acted => {
      signal.throwIfAborted();
      if (!(failure instanceof ZoneError) && !(failure instanceof LinkError) && !isRefusedForGood(failure))
        throw failure;
      pressed("failed", failure);
      return { ...failedReply(failure, record), outcome: "" };
    });
    if (outcome !== "") pressed(outcome);
    // Execution records what becomes of an input request.
    if (outcome === "rejected" && press.of === "answer") await recordAct(rejectedPress(record, press));
    const tell = (): Promise<void> => pressers.answer(workspace.slack, record, reply);
    await retry(tell, { ...tellRetry, clock, signal }).catch((failure: unknown) => {
      if (!(failure instanceof SlackCallError)) throw failure;
      emit("notice_lost", { operation: "chat.postEphemeral", failure });
    });
  };
}

/** An attempt after the first appends no other event. */
const rejectedPress = ({ request_id: id, user_id, user_team, team_id }: PressRecord, press: AnswerPress) =>
  rejectedAct({
    id,
    action: "press.reject",
    user_id,
    team: user_team ?? team_id,
    target: { type: "message", id: press.id },
    correlation_id: press.id,
    details: { verb: press.verb },
  });
