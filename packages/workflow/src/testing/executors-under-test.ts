import { type ChildProcess, spawn } from "node:child_process";
import { createSecretKey } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startAdminApi, type StartOptions } from "@crosszone/admin-api/testing";
import type { WorkflowDefinition, WorkflowRun } from "@crosszone/contracts";
import { createVault, type Vault } from "@crosszone/service-kit";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished } from "vitest";
import { createWorkflowRoutes, type WorkflowRoutesDeps } from "../api/create-workflow-routes.ts";
import { type Executor, type ExecutorOptions, newExecutor } from "./new-executor.ts";

interface WorkflowApiOptions
  extends Pick<WorkflowRoutesDeps, "maxWatchers">, Omit<StartOptions, "parts">, ExecutorOptions {
  readonly databaseUrl?: string;
}

export type StartedWorkflowApi = Awaited<ReturnType<typeof startWorkflowApi>>;

/** Serves the workflow API on a real port, over a started executor. */
export async function startWorkflowApi(options: WorkflowApiOptions = {}) {
  const { databaseUrl, maxWatchers, ...others } = options;
  const executor = await openExecutor(databaseUrl ?? (await newSqliteDatabase()), others);
  const part = createWorkflowRoutes({ workflows: executor.workflows, maxWatchers });
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

/** A vault with one key. */
export const vaultOf = (fill = 7): Vault =>
  createVault([{ id: `k${fill}`, key: createSecretKey(Buffer.alloc(32, fill)) }]);

const program = fileURLToPath(new URL("executor-program.ts", import.meta.url));

/**
 * Starts an executor as a separate process that can be killed, as `executor-program.ts` says. It ends with the test at the latest. Resolves
 * once it has started, or ended by itself.
 */
export async function spawnExecutor(url: string, ...more: readonly string[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return child;
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
