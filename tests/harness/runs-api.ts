import type { RunList, WorkflowDefinition, WorkflowRun, WorkflowRunSummary } from "@crosszone/contracts";

/** An admin token, for ADMIN_TOKENS of the zone. */
export const adminToken = "0123456789abcdef0123456789abcdef";

/** A client of a zone's runs API over HTTP. It throws the text of an error response. */
export interface RunsApi {
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body?: unknown, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
  /** Stores a version of a workflow. */
  readonly create: (definition: WorkflowDefinition) => Promise<void>;
  /** Starts a run and returns its id. The same key returns the same run. */
  readonly start: (workflowId: string, input: unknown, key?: string) => Promise<string>;
  /** Returns the runs that match the query, latest first. */
  readonly runs: (query?: string) => Promise<readonly WorkflowRunSummary[]>;
  /** Returns the latest of these runs. Throws if no run matches. */
  readonly latest: (query?: string) => Promise<WorkflowRunSummary>;
  readonly run: (runId: string) => Promise<WorkflowRun>;
  /** Resolves with a run when it has ended. */
  readonly ended: (runId: string) => Promise<WorkflowRun>;
}

interface AskOptions {
  readonly method?: "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function runsApi(url: string): RunsApi {
  async function request(path: string, { headers, ...init }: AskOptions = {}): Promise<string> {
    const ours = { "content-type": "application/json", authorization: `Bearer ${adminToken}` };
    const response = await fetch(`${url}/api/v1${path}`, { ...init, headers: { ...ours, ...headers } });
    const said = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${said}`);
    return said;
  }
  const ask = async (path: string, init?: AskOptions): Promise<unknown> => JSON.parse(await request(path, init));
  const post: RunsApi["post"] = (path, body = {}, headers = {}) =>
    ask(path, { method: "POST", body: JSON.stringify(body), headers });
  const runs: RunsApi["runs"] = async (query = "") => ((await ask(`/runs?${query}`)) as RunList).runs;
  const run: RunsApi["run"] = async (runId) => (await ask(`/runs/${runId}`)) as WorkflowRun;
  return {
    get: (path) => ask(path),
    post,
    create: async (definition) => void (await post("/workflows", definition)),
    start: async (workflow_id, input, key) => {
      const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
      return ((await post("/runs", { workflow_id, input }, headers)) as { run_id: string }).run_id;
    },
    runs,
    latest: async (query) => {
      const [latest] = await runs(query);
      if (latest === undefined) throw new Error(`there is no run of ${query ?? "any kind"}`);
      return latest;
    },
    run,
    ended: async (runId) => {
      // The stream ends with the run.
      await request(`/runs/${runId}/events`);
      return run(runId);
    },
  };
}
