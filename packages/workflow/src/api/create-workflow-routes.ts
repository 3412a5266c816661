import type { IncomingMessage } from "node:http";
import {
  type ApiContent,
  type ApiExchange,
  type ApiPart,
  type ApiPath,
  page,
  readJsonBody,
  readQuery,
  SharedProblem,
} from "@crosszone/admin-api";
import type { WorkflowRecord } from "@crosszone/contracts";
import { openApi } from "@crosszone/contracts/openapi";
import type { Workflows } from "../runner/workflows.ts";
import { runPaths } from "./run-paths.ts";
import { type ReadBody, WorkflowProblem } from "./workflow-problem.ts";

/** Returns the routes for workflow definitions. */
function workflowPaths(workflows: Workflows, readBody: ReadBody): Readonly<Record<string, ApiPath>> {
  const idOf = ({ params }: ApiExchange): string => params["workflow_id"] ?? "";

  function shown(record: WorkflowRecord | undefined): ApiContent {
    if (record === undefined) throw new WorkflowProblem("workflow_not_found", "List the workflows to see their ids.");
    return { status: 200, body: record };
  }

  async function create({ request, baseUrl, signal, ...by }: ApiExchange): Promise<ApiContent> {
    const created = await workflows.createVersion(await readBody(request), signal, by);
    if (created.outcome === "invalid")
      throw new WorkflowProblem("invalid_workflow", "Fix the members listed in `problems`.", created);
    const { outcome, record } = created;
    if (outcome === "conflict")
      throw new WorkflowProblem("version_conflict", "Stored versions can't be changed. Set another version.");
    const { workflow_id, version } = record;
    const location = `${baseUrl}/workflows/${workflow_id}/versions/${encodeURIComponent(version)}`;
    return { status: outcome === "created" ? 201 : 200, body: record, headers: { location } };
  }

  return {
    "/workflows": {
      get: async ({ request }) => ({ status: 200, body: await workflows.list(readQuery(request.url, page)) }),
      post: create,
    },
    "/workflows/validate": {
      post: async ({ request, signal, actor: caller }) => {
        const validate = (source: unknown) => workflows.validate(source, { signal, caller });
        const found = await readBody(request).then(validate, lostValues);
        return { status: 200, body: { valid: found.problems.length === 0, ...found } };
      },
    },
    "/workflows/{workflow_id}": { get: async (exchange) => shown(await workflows.get(idOf(exchange))) },
    "/workflows/{workflow_id}/versions": {
      get: async (exchange) => {
        const versions = await workflows.listVersions(idOf(exchange), readQuery(exchange.request.url, page));
        if (versions.total === 0) shown(undefined);
        return { status: 200, body: versions };
      },
    },
    "/workflows/{workflow_id}/versions/{version}": {
      get: async (exchange) => shown(await workflows.get(idOf(exchange), exchange.params["version"])),
    },
  };
}

/** Returns a definition's values that can't be kept as its problems. Throws any other error. */
function lostValues(error: unknown): Awaited<ReturnType<Workflows["validate"]>> {
  if (error instanceof SharedProblem && error.kind === "invalid_value")
    return { problems: error.problems ?? [], warnings: [] };
  throw error;
}

export interface WorkflowRoutesDeps {
  readonly workflows: Workflows;
  /** Largest request body, bytes (default 1 MiB). */
  readonly maxBytes?: number;
  /** Maximum number of concurrent run watchers in this process (default 200). */
  readonly maxWatchers?: number;
}

/** Returns the API routes that store workflows, start runs, and show them. */
export function createWorkflowRoutes({
  workflows,
  maxBytes = 1_048_576,
  maxWatchers = 200,
}: WorkflowRoutesDeps): ApiPart {
  const readBody = (request: IncomingMessage): Promise<unknown> =>
    readJsonBody(request, { maxBytes, types: ["application/json"], acceptHeader: "accept-post" });
  return {
    document: openApi("workflow"),
    paths: { ...workflowPaths(workflows, readBody), ...runPaths(workflows, readBody, maxWatchers) },
  };
}
