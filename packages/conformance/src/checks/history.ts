import type { A2AAgent } from "../a2a/a2a-agent.ts";
import { demandError, taskOf } from "../a2a/scenarios.ts";
import { demand, type Check } from "../run/check.ts";
import { objectsOf } from "../wire/json.ts";
import { a2a } from "./sources.ts";
import { endedTask } from "./tasks.ts";

const historyOf = async (agent: A2AAgent, historyLength: number) => {
  const ended = await endedTask(agent);
  const call = await agent.call("get", { id: ended["id"], historyLength });
  demand(taskOf(call, agent) !== undefined, `With historyLength ${historyLength} the response has no task.`, call);
  return { call, history: objectsOf(taskOf(call, agent)?.["history"]) };
};

export const historyChecks: readonly Check<A2AAgent>[] = [
  {
    id: "history-none",
    level: "should",
    title: "Leaves out the history when it is not wanted",
    rule: "historyLength 0 means no history.",
    source: a2a("324-history-length-semantics", "731-taskqueryparams-object"),
    fix: "Leave out the member history when historyLength is 0. Zero is not the same as missing.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { call, history } = await historyOf(agent, 0);
      demand(history.length === 0, `There are ${history.length} messages.`, call);
    },
  },
  {
    id: "history-limited",
    level: { "a2a-1.0": "must", "jsonrpc-2.0": "should" },
    title: "Returns no more history than wanted",
    rule: "historyLength is the most messages of the history to return, the newest.",
    source: a2a("324-history-length-semantics", "731-taskqueryparams-object"),
    fix: "Return the last historyLength messages.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { call, history } = await historyOf(agent, 1);
      demand(history.length <= 1, `With historyLength 1 there are ${history.length} messages.`, call);
    },
  },
  {
    id: "history-limit-checked",
    level: "should",
    title: "Rejects a negative historyLength",
    rule: "historyLength is 0 or more. Invalid params are rejected with -32602.",
    source: a2a("332-error-handling", "81-standard-json-rpc-errors"),
    fix: "Answer a negative historyLength with code -32602.",
    needs: ["get-task"],
    judge: async (agent) => {
      const { id } = await endedTask(agent);
      demandError(await agent.call("get", { id, historyLength: -1 }), [-32602], "historyLength -1");
    },
  },
];
