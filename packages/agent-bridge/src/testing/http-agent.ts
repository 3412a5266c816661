import { bodyOf, startServer } from "./start-server.ts";

export interface HttpAgent {
  readonly origin: string;
  /** The task ids of its requests. */
  readonly asked: string[];
}

/** Starts a real agent that speaks both protocols and answers each task with a text. Ends with the test. */
export async function startHttpAgent(answer: (taskId: string) => string | Promise<string>): Promise<HttpAgent> {
  const asked: string[] = [];
  const port = await startServer((request, response) => {
    const reply = async (): Promise<void> => {
      const { id, task_id } = JSON.parse(await bodyOf(request)) as { readonly id?: string; readonly task_id?: string };
      const taskId = id ?? task_id ?? "";
      asked.push(taskId);
      const text = await answer(taskId);
      const body = id === undefined ? { task_id, status: "success", output: { text } } : completed(id, text);
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    };
    void reply();
  });
  return { origin: `http://127.0.0.1:${port}`, asked };
}

function completed(id: string, text: string): unknown {
  const artifacts = [{ artifactId: "a1", parts: [{ kind: "text", text }] }];
  return {
    jsonrpc: "2.0",
    id,
    result: { kind: "task", id, contextId: "c", status: { state: "completed" }, artifacts },
  };
}
