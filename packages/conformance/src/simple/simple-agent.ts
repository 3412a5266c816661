import { randomUUID } from "node:crypto";
import type { AgentParts } from "../a2a/a2a-agent.ts";
import { exchange, type Exchange, type Wire } from "../wire/exchange.ts";
import { objectOf, type JsonObject } from "../wire/json.ts";

/** A task and the response to it. */
export interface SimpleReply extends Exchange {
  readonly taskId: string;
  /** Undefined when the body is not an object. */
  readonly response: JsonObject | undefined;
}

/** An agent that is checked against Simple A2A. */
export interface SimpleAgent {
  readonly questions: AgentParts["questions"];
  readonly run: (text: string, options?: { readonly taskId?: string }) => Promise<SimpleReply>;
  /** Sends a body as it is. */
  readonly post: (body: string) => Promise<Exchange>;
  /** The reply to the question that is answered; it is sent once. */
  readonly answered: () => Promise<SimpleReply>;
  /** The reply to a question that fails; it is sent once. */
  readonly failed: (text: string) => Promise<SimpleReply>;
}

export function createSimpleAgent(
  { baseUrl: url, questions, limitMs }: Pick<AgentParts, "baseUrl" | "questions" | "limitMs">,
  wire: Wire,
): SimpleAgent {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const post: SimpleAgent["post"] = (body) => exchange(wire, { url, method: "POST", headers, body, limitMs });
  const run: SimpleAgent["run"] = async (text, { taskId = randomUUID() } = {}) => {
    const reply = await post(JSON.stringify({ task_id: taskId, input: { text } }));
    return { ...reply, taskId, response: objectOf(reply.json) };
  };
  let answer: Promise<SimpleReply> | undefined;
  let failure: Promise<SimpleReply> | undefined;
  return {
    questions,
    post,
    run,
    answered: () => (answer ??= run(questions.answered)),
    failed: (text) => (failure ??= run(text)),
  };
}
