/** How the source writes a stream: the beginning, each token, and the end. Each is the text of whole events. */
export interface Dialect {
  readonly begin: string;
  readonly token: (text: string, index: number) => string;
  readonly end: string;
}

const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;

/** A task of an A2A 1.0 agent. https://a2a-protocol.org/v1.0.0/specification/ */
export function a2aDialect(id: unknown): Dialect {
  const ids = { taskId: `remote-${String(id)}`, contextId: "c1" };
  const result = (value: object): string => event({ jsonrpc: "2.0", id, result: value });
  const status = (state: string) => ({ status: { state: `TASK_STATE_${state}` } });
  return {
    begin: result({ task: { id: ids.taskId, contextId: ids.contextId, ...status("WORKING") } }),
    token: (text, index) => {
      const artifact = { artifactId: "a1", parts: [{ text }] };
      return result({ artifactUpdate: { ...ids, artifact, append: index > 0 } });
    },
    end: result({ statusUpdate: { ...ids, ...status("COMPLETED") } }),
  };
}

/** A chat completion of a server with OpenAI's API. https://platform.openai.com/docs/api-reference/chat-streaming */
export function openAiDialect(): Dialect {
  const chunk = { id: "c1", object: "chat.completion.chunk", created: 1, model: "tokens" };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  const choice = (delta: object, finish_reason: string | null = null) =>
    event({ ...chunk, choices: [{ index: 0, delta, finish_reason }] });
  return {
    begin: choice({ role: "assistant", content: "" }),
    token: (content) => choice({ content }),
    end: `${choice({}, "stop")}${event({ ...chunk, choices: [], usage })}data: [DONE]\n\n`,
  };
}
