import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { AgentSettings } from "@crosszone/contracts";
import type { BrokenAgent, BrokenCall } from "./broken-answers.ts";
import { startPeer } from "./start-peer.ts";

export interface BrokenAgents {
  readonly settings: readonly AgentSettings[];
  /** What the agents were sent, by name. */
  readonly calls: ReadonlyMap<string, readonly BrokenCall[]>;
}

/** Starts a server with these agents, each under its name. Ends with the test. */
export async function startBrokenAgents(agents: Readonly<Record<string, BrokenAgent>>): Promise<BrokenAgents> {
  const calls = new Map<string, BrokenCall[]>(Object.keys(agents).map((name) => [name, []]));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = request.url?.split("/")[1] ?? "";
    const agent = agents[name];
    if (request.method === "GET") {
      const card = agent?.card?.(`${url}/${name}`);
      response.writeHead(card === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(card));
    } else {
      const call = (await json(request)) as BrokenCall;
      calls.get(name)?.push(call);
      agent?.answer(call, response);
    }
  };
  const url = await startPeer((request, response) => void serve(request, response));
  const settings = Object.entries(agents).map(([name, agent]) => ({
    name,
    url: `${url}/${name}`,
    retry: { max_retries: 0, base_ms: 1, max_ms: 1 },
    ...agent.settings,
  }));
  return { settings, calls };
}
