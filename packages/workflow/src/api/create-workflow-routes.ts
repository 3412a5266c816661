import { readJsonBody, type ApiPart } from "@crosszone/admin-api";
import type { IncomingMessage } from "node:http";
import { workflowApi } from "../generated/workflow-api.ts";
import type { Workflows } from "../runner/workflows.ts";
import { runPaths } from "./run-paths.ts";
import { workflowPaths } from "./workflow-paths.ts";

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
    document: workflowApi,
    paths: { ...workflowPaths(workflows, readBody), ...runPaths(workflows, { readBody, maxWatchers }) },
  };
}
