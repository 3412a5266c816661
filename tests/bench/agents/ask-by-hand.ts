import type { AgentRecord, AgentTask } from "@crosszone/contracts";
import { Agent } from "undici";
import { byHand } from "./dialects.ts";

/** Gives an agent a task, and its answer's text. */
export type AskByHand = (agent: AgentRecord, task: AgentTask) => Promise<string>;

/** What is left of a call when everything is left out that is not needed on a good day; by the client that the bridge has too. */
export function createAskByHand(): AskByHand {
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return async ({ name, protocol, url }, task) => {
    const dialect = byHand[protocol];
    if (dialect === undefined) throw new Error(`nobody wrote ${protocol} down for ${name}`);
    const { origin, pathname } = new URL(url);
    const body = dialect.request(task);
    const headers = { "content-type": "application/json", accept: "application/json" };
    const answer = await dispatcher.request({ origin, path: pathname, method: "POST", headers, body });
    return dialect.textOf(await answer.body.json());
  };
}
