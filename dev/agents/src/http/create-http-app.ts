import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from "express";
import { breakOnPurpose } from "../faults/break-on-purpose.ts";
import { faults, type Switchboard, type ReceivedRequest, isFault, knownFaults } from "../faults/switchboard.ts";
import { agentCard, speakA2A } from "../protocols/a2a.ts";
import type { Protocol } from "../protocols/protocol.ts";
import { speakSimpleA2A } from "../protocols/simple-a2a.ts";
import { samples, type SampleAgent } from "../samples/samples.ts";

export interface HttpAppOptions {
  /** URL of the server, without a trailing slash. */
  readonly url: string;
  readonly switchboards: ReadonlyMap<string, Switchboard>;
  readonly times: Times;
}

/** Serves all sample agents on one port, each at its name; `/` lists them. */
export function createHttpApp({ url, switchboards, times }: HttpAppOptions): Express {
  const app = express()
    .disable("x-powered-by")
    .use(localOnly)
    .use(express.json({ limit: "1mb", strict: false }));
  for (const sample of samples) {
    const switchboard = switchboards.get(sample.name);
    const routes = { sample, switchboard, url: `${url}/${sample.name}`, times };
    if (switchboard !== undefined) app.use(`/${sample.name}`, agentRoutes({ ...routes, switchboard }));
  }
  const agents = samples.map(({ name, protocol, description }) => ({
    name,
    url: `${url}/${name}`,
    protocol,
    description,
  }));
  app.get("/", (_, response) => void response.json({ agents, faults }));
  app.get("/healthz", (_, response) => void response.json({ status: "ok" }));
  return app.use(refuseUnreadable);
}

/** Refuses web pages that reach the agents under their own host name (DNS rebinding). */
const localOnly: RequestHandler = ({ headers }, response, next) => {
  if (/^(127\.0\.0\.1|localhost)(:\d+)?$/i.test(headers.host ?? "")) next();
  else response.status(403).json({ error: "the Host header must be 127.0.0.1 or localhost" });
};

/** Handles errors of the body parser. Returns no stack. https://www.jsonrpc.org/specification#error_object */
// oxlint-disable-next-line max-params -- Express knows a handler of errors by its four parameters
const refuseUnreadable: ErrorRequestHandler = (
  error: { status?: number; message: string },
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error);
  const said = { code: -32700, message: "The body must be JSON of at most 1 MB." };
  response.status(error.status ?? 500).json({ jsonrpc: "2.0", id: null, error: said });
};

interface AgentRoutesOptions {
  readonly sample: SampleAgent;
  readonly switchboard: Switchboard;
  /** URL of the agent. */
  readonly url: string;
  readonly times: Times;
}

/** Delays, milliseconds. */
interface Times {
  /** The fault `slow`. */
  readonly slowMs: number;
  /** Duration of a long-running task. */
  readonly taskMs: number;
}

/** Returns the routes of an agent: `POST /` and, for A2A, its card. `/control` sets a fault; `?fault=` sets one for a single request. */
function agentRoutes({ sample, switchboard, url, times }: AgentRoutesOptions): Router {
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
