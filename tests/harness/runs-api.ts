import { randomUUID } from "node:crypto";
import type { RunList, WorkflowDefinition, WorkflowRun, WorkflowStep } from "@crosszone/contracts";

/** An admin token, for ADMIN_TOKENS of the zone. */
export const adminToken = "0123456789abcdef0123456789abcdef";

interface AskOptions {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a zone's runs API over HTTP. It throws the text of an error response. */
export function runsApi(url: string) {
  async function request(path: string, { headers, ...init }: AskOptions = {}): Promise<string> {
    const ours = { "content-type": "application/json", authorization: `Bearer ${adminToken}` };
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers: { ...ours, ...headers } });
    const said = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${said}`);
    return said;
  }
  const ask = async (path: string, init?: AskOptions): Promise<unknown> => JSON.parse(await request(path, init));
  const post = (path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}) =>
    ask(path, { method: "POST", body: JSON.stringify(body), headers });
  /** Returns the runs that match the query, latest first. */
  const runs = async (query = "") => ((await ask(`/runs?${query}`)) as RunList).runs;
  const run = async (runId: string) => (await ask(`/runs/${runId}`)) as WorkflowRun;
  return {
    get: (path: string) => ask(path),
    post,
    /** Stores a version of a workflow. */
    create: async (definition: WorkflowDefinition) => void (await post("/workflows", definition)),
    /** Starts a run and returns its id. The same key returns the same run. */
    start: async (workflow_id: string, input: unknown, key?: string) => {
      const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
      return ((await post("/runs", { workflow_id, input }, headers)) as { run_id: string }).run_id;
    },
    runs,
    /** Returns the latest of these runs. Throws if no run matches. */
    latest: async (query?: string) => {
      const [latest] = await runs(query);
      if (latest === undefined) throw new Error(`there is no run of ${query ?? "any kind"}`);
      return latest;
    },
    run,
    /** Resolves with a run when it has ended. */
    ended: async (runId: string) => {
      // The stream ends with the run.
      await request(`/runs/${runId}/events`);
      return run(runId);
    },
  };
}

/** Returns a workflow of these steps that begins with the first. */
export const workflowOf = (
  workflow_id: string,
  steps: readonly WorkflowStep[],
  more: Partial<WorkflowDefinition> = {},
): WorkflowDefinition => ({
  workflow_id,
  name: workflow_id,
  version: "1",
  start_step: steps[0]?.id ?? "",
  steps: Object.fromEntries(steps.map((step) => [step.id, step])),
  ...more,
});

/** Returns a function that posts JSON with a bearer token, as programs do, which read an answer or a stream of events. */
export const postAs =
  (token: string, headers: Readonly<Record<string, string>> = {}) =>
  async (url: string, body: object | string) => {
    const accept = "application/json, text/event-stream";
    const own = { "content-type": "application/json", accept, authorization: `Bearer ${token}`, ...headers };
    const sent = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(url, { method: "POST", headers: own, body: sent });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: <Body>() => JSON.parse(text) as Body };
  };

/** A request of JSON-RPC. */
export const rpcOf = (method: string, params: object) => ({ jsonrpc: "2.0", id: randomUUID(), method, params });

/** Creates the token of a program that may ask. */
export async function askingToken(url: string, name = "ci"): Promise<string> {
  const asked = { name, scopes: ["ask"], expires_in: 600 };
  return (await postAs(adminToken)(`${url}/api/v1/tokens`, asked)).json<{ token: string }>().token;
}
