import type { ApiClient } from "../api/api-client.ts";
import { RefusedError } from "../api/api-failure.ts";
import { didYouMean } from "../arguments/near-names.ts";

/** So many names are looked through for the one that was meant. */
const manyNames = 200;

/** For a request that names a workflow: one that is not there is told with the near ones, a version that is not there with the latest. */
export function orNear(api: ApiClient, workflowId: string): (error: unknown) => Promise<never> {
  return async (error) => {
    if (!(error instanceof RefusedError && error.kind === "workflow-not-found")) throw error;
    const { workflows } = await api.workflows({ limit: manyNames, offset: 0 });
    const there = workflows.find(({ workflow_id }) => workflow_id === workflowId);
    const ids = workflows.map(({ workflow_id }) => workflow_id);
    error.message = there
      ? `There is no such version of ${workflowId}. The latest is ${there.version}.`
      : `There is no such workflow.${didYouMean(workflowId, ids) || " crosszone workflows lists them."}`;
    throw error;
  };
}
