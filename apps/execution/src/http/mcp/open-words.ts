import type { InputRequest } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import { type AskedTask, decidersSentence } from "../../ask/asked-task.ts";
import { canAnswer } from "./elicitation.ts";
import { plainText } from "./plain-text.ts";

/** Returns in words how a program gets the result of a task that has not ended. */
export function openWords(task: AskedTask, actor: string): string {
  const { task_id, inputs } = task;
  const later = `Call get_task with task_id "${task_id}" to get the result.`;
  if (inputs.length === 0) return `The task is still running. ${later} It waits up to 25 seconds for it.`;
  const asked = inputs.map((input) => inputWords(input, task, actor));
  return `The task waits for ${inputs.length === 1 ? "an answer" : `${inputs.length} answers`}.\n\n${asked.join("\n\n")}\n\n${later}`;
}

function inputWords(input: InputRequest, task: AskedTask, actor: string): string {
  const { request_id, title, body, agent } = input;
  const asked = `${plainText(agent, 100)} asks: ${plainText(title, 200)}${body === undefined ? "" : `\n${plainText(body, 2_000)}`}`;
  const call = `call answer_input with task_id "${task.task_id}", request_id "${request_id}"`;
  if (canAnswer(input, actor)) return `${asked}\nAsk your person, then ${call} and ${valueWords(input)}.`;
  return `${asked}\n${plainText(decidersSentence(input), 2_000)} You can't answer it.`;
}

function valueWords({ kind, options = [], schema, action }: InputRequest): string {
  if (kind === "approve") {
    const digest = action === undefined ? "" : ` and digest "${action.digest}"`;
    return `verdict "approve"${digest}, or verdict "deny"`;
  }
  if (kind === "text") return "the text as value";
  if (kind === "form") return `values for this schema: ${showUnseen(JSON.stringify(schema))}`;
  return `one of these as value: ${options.map(({ value, label }) => `"${showUnseen(value)}" (${plainText(label, 100)})`).join(", ")}`;
}

/** Returns an input request as a program sees it. */
export function shownInput(input: InputRequest, actor: string) {
  const { request_id, kind, title, body, action, options, schema, expires_at } = input;
  return {
    request_id,
    kind,
    title,
    expires_at,
    yours: canAnswer(input, actor),
    ...(body !== undefined && { body }),
    ...(action !== undefined && { action }),
    ...(options !== undefined && { options }),
    ...(schema !== undefined && { schema }),
  };
}
