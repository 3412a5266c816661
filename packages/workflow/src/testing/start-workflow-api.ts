import { startAdminApi, type StartedApi, type StartOptions } from "@crosszone/admin-api/testing";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { createWorkflowRoutes, type WorkflowRoutesDeps } from "../api/create-workflow-routes.ts";
import { openExecutor } from "./executors-under-test.ts";
import type { Executor, ExecutorOptions } from "./new-executor.ts";

export interface WorkflowApiOptions
  extends Omit<Partial<WorkflowRoutesDeps>, "workflows">, Omit<StartOptions, "parts">, ExecutorOptions {
  readonly databaseUrl?: string;
  /** Overrides of the executor that the API uses. */
  readonly workflows?: (executor: Executor) => Partial<Executor["workflows"]>;
}

export interface StartedWorkflowApi extends StartedApi {
  readonly executor: Executor;
}

/** Serves the workflow API on a real port, over a started executor. */
export async function startWorkflowApi(options: WorkflowApiOptions = {}): Promise<StartedWorkflowApi> {
  const { databaseUrl, maxBytes, maxWatchers, workflows, limits, vault, agentNames, intakeOf, databaseOf, ...api } =
    options;
  const executor = await openExecutor(databaseUrl ?? (await newSqliteDatabase()), {
    ...(limits && { limits }),
    ...(vault && { vault }),
    ...(agentNames && { agentNames }),
    ...(intakeOf && { intakeOf }),
    ...(databaseOf && { databaseOf }),
  });
  const part = createWorkflowRoutes({
    workflows: { ...executor.workflows, ...workflows?.(executor) },
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxWatchers !== undefined && { maxWatchers }),
  });
  return { ...(await startAdminApi({ ...api, parts: [part] })), executor };
}
