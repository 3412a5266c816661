import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { AgentSettings } from "@crosszone/contracts";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { askWorkflows } from "../plan/ask-plan.ts";
import { noteRequests } from "../judge/judge-stores.ts";
import { bracketAnswer, bracketWorkflows, type AgentBody } from "../../harness/bracket-workflows.ts";

/** Maximum time of an answer, so that kills interrupt calls, milliseconds. */
const longestMs = 1_500;

export async function serveAgents() {
  let number = 0;
  const requests = noteRequests();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The agents have no cards.
    if (request.method === "GET") return void response.writeHead(404).end();
    const body = await text(request);
    requests.note(String(request.headers["idempotency-key"]), body);
    await wait(((number += 1) * 397) % longestMs);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(bracketAnswer(JSON.parse(body) as AgentBody)));
  };
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url, requests, close: async () => void (await close(server, { deadlineMs: 100 })) };
}

/** Retries of agent calls in a run: disturbances last only seconds. */
const longTimeouts: Partial<AgentSettings> = {
  timeout_ms: 20_000,
  max_concurrency: 100,
  retry: { max_retries: 10, base_ms: 50, max_ms: 1_000 },
  breaker: { failures: 1_000, open_ms: 1_000 },
};

/** Writes the agents `newer` and `older`, and their workflows, to a folder. Returns execution's variables for them. `leftMs`: see `askWorkflows`. */
export function writeAgentFiles(folder: string, url: string, leftMs: number): Record<string, string> {
  const agents: readonly AgentSettings[] = [
    { name: "newer", url: `${url}/newer`, protocol: "jsonrpc-2.0", ...longTimeouts },
    { name: "older", url: `${url}/older`, protocol: "simple-a2a", ...longTimeouts },
  ];
  const [file, workflows] = [join(folder, "agents.yaml"), join(folder, "workflows")];
  mkdirSync(workflows, { recursive: true });
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ agents }));
  for (const definition of [...bracketWorkflows.map((one) => one.definition), ...askWorkflows(leftMs)])
    writeFileSync(join(workflows, `${definition.workflow_id}.json`), JSON.stringify(definition));
  return { AGENTS_FILE: file, WORKFLOWS_DIR: workflows, AGENT_ORIGINS: new URL(url).origin };
}
