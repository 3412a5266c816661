import type { ApiClient } from "../api/api-client.ts";
import { RefusedError } from "../api/api-failure.ts";
import { didYouMean } from "../arguments/near-names.ts";

/** Number of names that are searched for similar ones. */
const manyNames = 200;

/**
 * Returns an error handler for a request that names a workflow. It reports an unknown workflow with similar names, and an unknown version
 * with the latest one.
 */
export function orNear(api: ApiClient, workflowId: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof RefusedError && error.kind === "workflow-not-found")) throw error;
    const { workflows } = await api.workflows({ limit: manyNames, offset: 0 });
    const there = workflows.find(({ workflow_id }) => workflow_id === workflowId);
    const ids = workflows.map(({ workflow_id }) => workflow_id);
    error.message = there
      ? `${workflowId} has no such version. The latest is ${there.version}.`
      : `No such workflow.${didYouMean(workflowId, ids) || " crosszone workflows lists them."}`;
    throw error;
  };
}
