import { type Agent, TaskPaused } from "@crosszone/execution";
import { retryTransient } from "@crosszone/sql";
import { askOf, decide } from "../../resist/plan/questions.ts";

const askedCall = /^send pebble-(\d+) to all$/;
const nobody = { people: [], groups: [], requester: false, approve: 1, deny: 1 };

/** Returns an agent that also calls a tool when people have approved the call. `act` calls it: never twice, as the tool would not notice. */
export function withCalls(agent: Agent, act: (text: string) => Promise<unknown>): Agent {
  return {
    ...agent,
    run: async (input, context) => {
      const number = Number(askedCall.exec(input.text.trim())?.[1]);
      if (Number.isNaN(number)) return agent.run(input, context);
      const text = `pebble-${number}`;
      const action = { agent: agent.name, tool: "send", arguments: { text } };
      const { inputs, signal } = context;
      const request = inputs?.decided.get("send");
      if (inputs === undefined || request === undefined) {
        const by = { ...nobody, ...decide[askOf(number, false).rule] };
        const asked = { key: "send", kind: "approve", title: `Send ${text}?`, action, decide: by } as const;
        throw new TaskPaused([asked], { continuation: {} });
      }
      const verdict = await retryTransient(() => inputs.use("send", action), { budgetMs: Infinity, signal });
      if (verdict === "allowed") await act(text);
      if (verdict === "allowed") return { response_text: `Sent ${text}.` };
      return { response_text: verdict === "again" ? `Perhaps sent ${text}.` : `Did not send ${text}.` };
    },
  };
}
