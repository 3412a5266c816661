import { readJsonBody, type ApiPart } from "@crosszone/admin-api";
import type { IncomingMessage } from "node:http";
import { workflowApi } from "../generated/workflow-api.ts";
import type { Workflows } from "../runner/workflows.ts";
import { runPaths } from "./run-paths.ts";
import { workflowPaths } from "./workflow-paths.ts";

export interface WorkflowRoutesDeps {
  readonly workflows: Workflows;
  /** Largest body, bytes: a definition, or a request with its input (default 1 MiB). */
  readonly maxBytes?: number;
  /** How many may watch runs at once in this process (default 200). */
  readonly maxWatchers?: number;
}

/** The part of the API that stores workflows, starts runs of them, and shows how these go. */
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
