import { startAdminApi, type StartOptions } from "@crosszone/admin-api/testing";
import type { WorkflowDefinition, WorkflowRun } from "@crosszone/contracts";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished } from "vitest";
import { createWorkflowRoutes, type WorkflowRoutesDeps } from "../api/create-workflow-routes.ts";
import { type Executor, type ExecutorOptions, newExecutor } from "./new-executor.ts";

export interface WorkflowApiOptions
  extends Omit<Partial<WorkflowRoutesDeps>, "workflows">, Omit<StartOptions, "parts">, ExecutorOptions {
  readonly databaseUrl?: string;
  /** Overrides of the executor that the API uses. */
  readonly workflows?: (executor: Executor) => Partial<Executor["workflows"]>;
}

export type StartedWorkflowApi = Awaited<ReturnType<typeof startWorkflowApi>>;

/** Serves the workflow API on a real port, over a started executor. */
export async function startWorkflowApi(options: WorkflowApiOptions = {}) {
  const { databaseUrl, maxWatchers, workflows, ...others } = options;
  const executor = await openExecutor(databaseUrl ?? (await newSqliteDatabase()), others);
  const shown = { ...executor.workflows, ...workflows?.(executor) };
  const part = createWorkflowRoutes({ workflows: shown, maxWatchers });
  return { ...(await startAdminApi({ ...others, parts: [part] })), executor };
}

/** Generous: processes start, and the machine may be busy. */
export const soon = { timeout: 60_000, interval: 20 };

/** An executor that is closed with the test. It advances runs unless told otherwise. */
export async function openExecutor(
  url: string,
  { isStarted = true, ...options }: ExecutorOptions & { readonly isStarted?: boolean } = {},
): Promise<Executor> {
  const executor = await newExecutor(url, options);
  onTestFinished(() => executor.close());
  if (isStarted) executor.workflows.start();
  return executor;
}

let creating: Promise<unknown> = Promise.resolve();

/** Stores a definition, after those of other tests of the file, and starts a run of it; returns the run's id. */
export async function begin(
  { workflows }: Executor,
  definition: WorkflowDefinition,
  input: unknown = {},
): Promise<string> {
  const create = creating.then(() => workflows.createVersion(definition));
  creating = create.catch(() => undefined);
  const created = await create;
  expect(created).toMatchObject({ outcome: expect.stringMatching(/created|unchanged/) as unknown });
  const started = await workflows.startRun({ workflow_id: definition.workflow_id, input });
  if (started.outcome !== "started") throw new Error(`the run was not started: ${JSON.stringify(started)}`);
  return started.run.run_id;
}

/** Waits for a run to end and returns it. */
export async function ended({ workflows }: Executor, runId: string): Promise<WorkflowRun> {
  await expect.poll(async () => (await workflows.getRun(runId))?.run.ended_at, soon).toBeDefined();
  const found = await workflows.getRun(runId);
  if (found === undefined) throw new Error(`no run ${runId}`);
  return found.run;
}

/** The states of a run's steps, by path. */
export const stepStates = ({ steps }: WorkflowRun): Readonly<Record<string, string>> =>
  Object.fromEntries(steps.map(({ path, state }) => [path, state]));

/** Ids in URLs that are none of what is stored. */
export const oddIds = [..."none a%00b %F0%9F%A4%96 a%2Fb %27%3B%20drop%20table __proto__".split(" "), "x".repeat(300)];
