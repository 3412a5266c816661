import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { Agent } from "undici";

type HandTask = Pick<AgentTask, "agent_name" | "task_id" | "input_data">;

/** What remains of an agent call without all that a good day does not need, by the client of the bridge. Returns the answer's text. */
export function createCallByHand(agents: readonly AgentRecord[]): (task: HandTask) => Promise<string> {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  const headers = { "content-type": "application/json", accept: "application/json" };
  return async (task) => {
    const agent = byName.get(task.agent_name);
    const dialect = agent && byHand[agent.protocol];
    if (agent === undefined || dialect === undefined)
      throw new Error(`no agent ${task.agent_name}, or no dialect of its protocol`);
    const { origin, pathname } = new URL(agent.url);
    const body = dialect.request(task);
    const answer = await dispatcher.request({ origin, path: pathname, method: "POST", headers, body });
    return dialect.textOf(await answer.body.json());
  };
}

interface ByHand {
  readonly request: (task: Pick<AgentTask, "task_id" | "input_data">) => string;
  /** The text of an answer; throws when it has none. */
  readonly textOf: (body: unknown) => string;
}

/** The protocols as a program writes them that needs them once. */
const byHand: Readonly<Record<string, ByHand>> = {
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
