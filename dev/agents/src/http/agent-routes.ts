import express, { type Request, type Response, type Router } from "express";
import { breakOnPurpose } from "../faults/break-on-purpose.ts";
import { type ReceivedRequest, isFault, knownFaults, type Switchboard } from "../faults/switchboard.ts";
import { agentCard, speakA2A } from "../protocols/a2a.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { speakSimpleA2A } from "../protocols/simple-a2a.ts";
import type { SampleAgent } from "../samples/samples.ts";

export interface AgentRoutesOptions {
  readonly sample: SampleAgent;
  readonly switchboard: Switchboard;
  /** URL of the agent. */
  readonly url: string;
  readonly times: Times;
}

/** Delays, milliseconds. */
export interface Times {
  /** The fault `slow`. */
  readonly slowMs: number;
  /** Duration of a long-running task. */
  readonly taskMs: number;
}

/** Returns the routes of an agent: `POST /` and, for A2A, its card. `/control` sets a fault; `?fault=` sets one for a single request. */
export function agentRoutes({ sample, switchboard, url, times }: AgentRoutesOptions): Router {
  const isA2A = sample.protocol === "jsonrpc-2.0";
  const protocol: Protocol = isA2A ? speakA2A(sample, times.taskMs) : speakSimpleA2A(sample);
  const routes = express.Router();

  async function ask(request: Request, response: Response): Promise<void> {
    const named = request.query["fault"];
    const fault = named === undefined ? switchboard.fault : named;
    if (!isFault(fault)) return void response.status(400).type("text").send(knownFaults);
    const body = request.body as unknown;
    const headers = { ...request.headers, ...(request.headers.authorization && { authorization: "hidden" }) };
    const asked: ReceivedRequest = { at: new Date().toISOString(), fault, headers, body, left: false };
    response.once("close", () => (asked.left = !response.writableFinished));
    const before = switchboard.note(protocol.idOf(body), asked);
    await breakOnPurpose(fault, response, { protocol, body, before, slowMs: times.slowMs });
  }
  routes.post("/", ask);

  if (isA2A) routes.get("/.well-known/agent-card.json", (_, response) => void response.json(agentCard(sample, url)));

  const show = (response: Response): void =>
    void response.json({ agent: sample.name, fault: switchboard.fault, asked: switchboard.asked });
  routes.get("/control", (_, response) => show(response));
  routes.post("/control", (request, response) => {
    const { fault } = (request.body ?? {}) as { readonly fault?: unknown };
    if (isFault(fault)) {
      switchboard.fault = fault;
      show(response);
    } else response.status(400).json({ error: knownFaults });
  });
  routes.delete("/control", (_, response) => {
    switchboard.reset();
    show(response);
  });
  return routes;
}
