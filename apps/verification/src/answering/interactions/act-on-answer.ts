import type { AnswerPress } from "../../inbox/records.ts";
import { denialSentence } from "../../policy/denials.ts";
import { answerBlock, readForm } from "../inputs/input-modals.ts";
import type { Answering } from "../questions/attempt.ts";
import { callOf } from "../sentences/agents-list.ts";
import { listSession } from "../tasks/zone-calls.ts";
import { askAgain, askAs } from "./ask-for-press.ts";
import { type Acted, acted, type PressWork, rejected } from "../presses/pressers.ts";
import { badRating } from "../presses/answer-controls.ts";
import { readOffered } from "../presses/handles.ts";
import { formOf } from "../presses/run-form.ts";

type Act = (answering: Answering, work: PressWork, press: AnswerPress) => Promise<Acted>;

/**
 * Does what was pressed under an answer, if the policy allows its person to ask. Doing it again changes nothing. Rejects with the `ZoneError`,
 * `LinkError` or `SlackCallError` that it ended with.
 */
export const actOnAnswer: Act = async (answering, work, press) => {
  const { record } = work.leased;
  const { denial } = await answering.workspace.policies.onRetry(record);
  if (denial !== undefined)
    return rejected(denialSentence(denial, record.correlation_id) ?? "You can't use this here.");
  return acts[press.verb](answering, work, press);
};

const rate: Act = async ({ ratings }, { leased: { record } }, { id: reference, value, values }) => {
  const { team_id, user_id } = record;
  const reason = values?.[answerBlock]?.trim() ?? "";
  const rating = value === badRating ? "bad" : "good";
  const isChanged = await ratings.put({ reference, team_id, user_id, rating, reason });
  // A reason follows a rating that was thanked for.
  return acted(isChanged && reason === "" ? "Thank you for your feedback." : "");
};

const runWithForm: Act = async (answering, work, { value: workflow = "", values = {} }) => {
  const { zone, limits } = answering;
  const { signal, leased } = work;
  const call = { signal, session: listSession, correlationId: leased.record.correlation_id };
  const schema = await formOf(workflow, { zone, call: { ...call, timeoutMs: limits.EXECUTION_TIMEOUT_MS } });
  if (schema === undefined) return rejected("This workflow has no form any more. Run it again to see what it needs.");
  const input = JSON.stringify(readForm(schema, values));
  return askAs(answering, work, { text: `${callOf({ name: workflow, kind: "workflow" })}: ${input}` });
};

const acts: Readonly<Record<AnswerPress["verb"], Act>> = {
  again: askAgain,
  other: askAgain,
  rate,
  prompt: (answering, work, { value = "" }) => askAs(answering, work, readOffered(value)),
  form: runWithForm,
};
