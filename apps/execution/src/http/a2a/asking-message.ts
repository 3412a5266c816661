import type { WireMessage } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import type { InputRequest } from "@crosszone/contracts";
import { type AskedTask, decidersSentence } from "../../ask/asked-task.ts";
import { mayVote } from "../../inputs/voters.ts";
import { hitlRequestOf } from "./hitl-form.ts";

/**
 * Returns the message of a task that waits for people: the words and data of its agent, or what the requests say. A client that knows the
 * extension gets requests in its form too, but not words, which any message answers.
 */
export function askingMessage({ task_id, ask, inputs, question }: AskedTask, hitl: boolean): WireMessage {
  const text = question?.text ?? inputs.map(textOfRequest).join("\n\n");
  const structured = hitl &&
    question === undefined && {
      extensions: [hitlUri],
      metadata: { [hitlUri]: hitlRequestOf(inputs) },
    };
  return {
    messageId: `${task_id}.${inputs.map(({ seq }) => seq).join(".")}`,
    role: "ROLE_AGENT",
    parts: [{ text }, ...(question?.data ?? []).map((data) => ({ data }))],
    contextId: ask.context_id,
    taskId: task_id,
    ...structured,
  };
}

/** Returns a request as text. The body is often the text of a request in another zone, so it may have the other lines already. */
function textOfRequest(request: InputRequest): string {
  const { title, body = "", options = [], schema, requester = "" } = request;
  const isOwn = mayVote(request, { user_id: requester, groups: [] }, "a2a");
  const choices = options.map(({ value, label }) => (value === label ? `- ${label}` : `- ${label} (${value})`));
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => `- ${name}: ${field?.title ?? name}`);
  const known = new Set(body.split("\n"));
  const isNew = (line: string): boolean => !known.has(line);
  return [
    ...[title].filter(isNew),
    body,
    ...[...choices, ...fields].filter(isNew),
    isOwn ? "" : decidersSentence(request),
  ]
    .filter(Boolean)
    .join("\n");
}
