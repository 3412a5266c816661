import type { WireMessage } from "@crosszone/a2a";
import { hitlUri } from "@crosszone/agent-bridge";
import type { InputRequest } from "@crosszone/contracts";
import type { AskedTask } from "../../ask/asked-task.ts";
import { hitlRequestOf } from "./hitl-form.ts";

/** Returns the message of a task that waits for people. A client that knows the extension gets the requests in its form too. */
export function askingMessage({ task_id, ask, inputs }: AskedTask, hitl: boolean): WireMessage {
  const structured = hitl && {
    extensions: [hitlUri],
    metadata: { [hitlUri]: hitlRequestOf(inputs) },
  };
  return {
    messageId: `${task_id}.${inputs.map(({ seq }) => seq).join(".")}`,
    role: "ROLE_AGENT",
    parts: [{ text: inputs.map(textOfRequest).join("\n\n") }],
    contextId: ask.context_id,
    taskId: task_id,
    ...structured,
  };
}

/** Returns a request as text. The body is often the text of a request in another zone, so it may have the other lines already. */
function textOfRequest({ title, body = "", options = [], schema }: InputRequest): string {
  const choices = options.map(({ value, label }) => (value === label ? `- ${label}` : `- ${label} (${value})`));
  const fields = Object.entries(schema?.properties ?? {}).map(([name, field]) => `- ${name}: ${field?.title ?? name}`);
  const known = new Set(body.split("\n"));
  const isNew = (line: string): boolean => !known.has(line);
  return [...[title].filter(isNew), body, ...[...choices, ...fields].filter(isNew)].filter(Boolean).join("\n");
}
