import { inBrackets } from "../../harness/bracket-workflows.ts";

/** The part of a request to an agent that its answer depends on, of both protocols. */
export interface AgentBody {
  readonly id?: string;
  readonly task_id?: string;
  readonly input?: { readonly text?: string };
  readonly params?: { readonly message?: { readonly parts: readonly { readonly text?: string }[] } };
}

/** What the agents `newer` and `older` answer: the text that they are given, in brackets of their protocol. */
export function bracketAnswer({ id, task_id, input, params }: AgentBody): object {
  if (task_id !== undefined)
    return { task_id, status: "success", output: { text: inBrackets(input?.text ?? "", "") }, error: null };
  const text = inBrackets(params?.message?.parts[0]?.text ?? "", "message/send");
  const artifacts = [{ artifactId: "1", parts: [{ kind: "text", text }] }];
  const result = { kind: "task", id: "remote", contextId: "context", status: { state: "completed" }, artifacts };
  return { jsonrpc: "2.0", id, result };
}
