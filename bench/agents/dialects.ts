import type { AgentTask } from "@crosszone/contracts";

/** What the benchmarks' agents answer to everything. */
export const answerText = "The capital of Peru is Lima. ".repeat(8);

/** An agent's answer to a request, in its protocol. */
export function answerOf(
  protocol: string,
  { id, task_id }: { readonly id?: string; readonly task_id?: string },
): string {
  if (protocol === "simple-a2a") return JSON.stringify({ task_id, status: "success", output: { text: answerText } });
  const artifacts = [{ artifactId: "a1", parts: [{ kind: "text", text: answerText }] }];
  const result = { kind: "task", id, contextId: "c1", status: { state: "completed" }, artifacts };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

interface ByHand {
  readonly request: (task: Pick<AgentTask, "task_id" | "input_data">) => string;
  /** The text of an answer; throws when it has none. */
  readonly textOf: (body: unknown) => string;
}

/** The protocols as a program writes them that needs them once. */
export const byHand: Readonly<Record<string, ByHand>> = {
  "jsonrpc-2.0": {
    request: ({ task_id: id, input_data }) => {
      const parts = [{ kind: "text", text: (input_data as { text: string }).text }];
      const message = { role: "user", messageId: `msg-${id}`, parts };
      return JSON.stringify({ jsonrpc: "2.0", id, method: "message/send", params: { message } });
    },
    textOf: (body) =>
      (body as { result: { artifacts: [{ parts: [{ text: string }] }] } }).result.artifacts[0].parts[0].text,
  },
  "simple-a2a": {
    request: ({ task_id, input_data }) => JSON.stringify({ task_id, input: input_data }),
    textOf: (body) => (body as { output: { text: string } }).output.text,
  },
};
