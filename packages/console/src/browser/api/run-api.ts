import type { RunGraph, RunList, StepAttempts, WorkflowRun, WorkflowRunSummary } from "@crosszone/contracts";
import { ApiFault, faultOf } from "./api-fault.ts";

/** Filters the list of runs. */
export interface RunFilter {
  readonly workflow_id?: string;
  readonly state?: string;
  readonly correlation_id?: string;
  readonly offset?: number;
}

/** The changes that a user can request. */
export type RunChange = "cancel" | "retry";

/**
 * The API as the page uses it. Inputs, outputs and errors arrive with secrets removed. Every rejection is an
 * `ApiFault`.
 */
export interface RunApi {
  readonly list: (filter: RunFilter) => Promise<RunList>;
  readonly run: (runId: string) => Promise<WorkflowRun>;
  readonly graph: (runId: string) => Promise<RunGraph>;
  readonly attempts: (runId: string, path: string) => Promise<StepAttempts>;
  readonly change: (runId: string, what: RunChange) => Promise<WorkflowRunSummary>;
  /** Streams the changes after a revision. */
  readonly events: (runId: string, since: number, signal: AbortSignal) => Promise<Response>;
  /** The server's time, Unix milliseconds. Times of runs use the server's clock. */
  readonly now: () => number;
}

export const pageSize = 50;

/** The longest pause that a server can request, milliseconds. */
const longestQuietMs = 30_000;

export function createRunApi(token: string | undefined): RunApi {
  let clockAhead = 0;
  let quietUntil = 0;

  /** Pauses every request of the page until the time that the server's 429 names. */
  function keepQuiet({ headers }: Response): void {
    const seconds = Number(headers.get("retry-after") ?? 0);
    if (seconds > 0) quietUntil = performance.now() + Math.min(seconds * 1_000, longestQuietMs);
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const quietMs = quietUntil - performance.now();
    if (quietMs > 0) await new Promise((resolve) => setTimeout(resolve, quietMs));
    const headers = new Headers(init.headers);
    // Such a token doesn't fit into a header.
    if (token !== undefined && !/^[!-~]+$/.test(token))
      throw new ApiFault("The token contains invalid characters.", { status: 401, kind: "unauthorized" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    const response = await fetch(`/api/v1${path}`, { cache: "no-store", ...init, headers }).catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      throw new ApiFault("Cannot reach the server.", { status: 0, kind: "unreachable" });
    });
    const date = Date.parse(response.headers.get("date") ?? "");
    // HTTP dates have whole seconds.
    if (Math.abs(date + 500 - Date.now() - clockAhead) > 1_500) clockAhead = date + 500 - Date.now();
    if (response.status === 429) keepQuiet(response);
    if (!response.ok) throw await faultOf(response);
    return response;
  }

  async function read<T>(path: string, init?: RequestInit): Promise<T> {
    return (await (await ask(path, init)).json()) as T;
  }

  const at = (runId: string): string => `/runs/${encodeURIComponent(runId)}`;
  return {
    list: ({ offset = 0, ...filter }) => {
      const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
      const query = new URLSearchParams([
        ...given,
        ["limit", String(pageSize)],
        ["offset", String(offset)],
        ["redact", "true"],
      ]);
      return read(`/runs?${query.toString()}`);
    },
    run: (runId) => read(`${at(runId)}?redact=true`),
    graph: (runId) => read(`${at(runId)}/graph`),
    attempts: (runId, path) => read(`${at(runId)}/attempts?path=${encodeURIComponent(path)}&redact=true`),
    change: (runId, what) => read(`${at(runId)}/${what}`, { method: "POST" }),
    events: (runId, since, signal) =>
      ask(`${at(runId)}/events?redact=true`, { signal, headers: { "last-event-id": String(since) } }),
    now: () => Date.now() + clockAhead,
  };
}
