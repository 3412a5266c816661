import { isSimpleA2ARequest, type SimpleA2AResponse } from "@crosszone/contracts";
import type { SampleAgent } from "../samples/samples.ts";
import { memberOf, textMember, type Protocol } from "./protocol.ts";

/** An agent of the older protocol: `{task_id, input}` is answered synchronously with `{task_id, status, output, error}`. */
export function speakSimpleA2A({ work }: Pick<SampleAgent, "work">): Protocol {
  const idOf = (body: unknown): string => textMember(body, "task_id");
  const refuse: Protocol["refuse"] = (body, why): SimpleA2AResponse => ({
    task_id: idOf(body),
    status: "error",
    output: null,
    error: why,
  });
  return {
    idOf,
    refuse,
    idMember: "task_id",
    answer: (body): SimpleA2AResponse => {
      if (!isSimpleA2ARequest(body)) return refuse(body, "a request has task_id and input") as SimpleA2AResponse;
      const output = { response: work(textOf(body.input)) };
      return { task_id: body.task_id, status: "success", output, error: null };
    },
  };
}

/** From Slack the input is `{text, thread?}`; other senders may send any JSON value. */
function textOf(input: unknown): string {
  const text = memberOf(input, "text") ?? input;
  return typeof text === "string" ? text : JSON.stringify(text);
}
