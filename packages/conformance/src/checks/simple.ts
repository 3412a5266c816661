import type { Check } from "../run/check.ts";
import { demand } from "../run/check.ts";
import type { SimpleAgent } from "../simple/simple-agent.ts";
import { quoted } from "../wire/json.ts";
import { simple } from "./sources.ts";

export const simpleChecks: readonly Check<SimpleAgent>[] = [
  {
    id: "simple-answers",
    level: "must",
    title: "Answers a task with a JSON object",
    rule: "The agent answers a POST of {task_id, input} with HTTP 2xx and a JSON object.",
    source: simple,
    mend: "Answer with HTTP 200 and {task_id, status, output, error}.",
    judge: async (agent) => {
      const reply = await agent.answered();
      const isOk = reply.status !== undefined && reply.status >= 200 && reply.status < 300;
      demand(isOk, `The task gets ${reply.problem ?? `HTTP ${reply.status}`}.`, reply);
      demand(reply.response !== undefined, "The body is not a JSON object.", reply);
    },
  },
  {
    id: "simple-status",
    level: "must",
    title: "Says success or error",
    rule: 'The response has the member status, which is "success" or "error".',
    source: simple,
    mend: 'Set status to "success" or "error", in lower case.',
    needs: ["simple-answers"],
    judge: async (agent) => {
      const reply = await agent.answered();
      const status = reply.response?.["status"];
      demand(status === "success" || status === "error", `The status is ${quoted(status)}.`, reply);
    },
  },
];
