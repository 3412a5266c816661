import express, { type ErrorRequestHandler, type Express, type RequestHandler } from "express";
import { faults, type Switchboard } from "../faults/switchboard.ts";
import { samples } from "../samples/samples.ts";
import { agentRoutes, type Times } from "./agent-routes.ts";

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
