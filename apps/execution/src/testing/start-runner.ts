import { randomUUID } from "node:crypto";
import type { Emit, LogFields } from "@crosszone/service-kit";
import { createTracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { onTestFinished, vi } from "vitest";
import type { Agent } from "../agents/agent.ts";
import { createInputKind } from "../people/run-inputs.ts";
import { createTaskInputs } from "../tasks/task-inputs.ts";
import { openInputs } from "../zone/open-inputs.ts";
import type { GrantFiles } from "../tasks/task-files.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "../tasks/store/task-store.ts";
import { TaskRunner } from "../tasks/task-runner.ts";
import { TaskTails } from "../tasks/task-tails.ts";
import type { NewTask, Task } from "../tasks/task.ts";
import { byRequester } from "./new-input.ts";
import { newTask } from "./new-task.ts";

export type TestRunner = Awaited<ReturnType<typeof startRunner>>;

export interface TestRunnerOptions extends OpenTaskStoreOptions {
  readonly agents: readonly [Agent, ...Agent[]];
  readonly maxRunning?: number;
  readonly mostAttempts?: number;
}

/**
 * Starts the part of a process that runs tasks, on a database that others may share. Ends with the test, without a
 * write to the database.
 */
export async function startRunner({ agents, maxRunning = 10, mostAttempts = 2, ...options }: TestRunnerOptions) {
  const opened = await openTaskStore(options);
  let reachable = Promise.resolve();
  let reconnect: (() => void) | undefined;
  const { jobs } = opened;
  const cut = <Store extends object>(one: Store, open: readonly (keyof Store)[] = []): Store =>
    delayed(one, open, () => reachable);
  const store = cut(opened.store, ["recoveredTask", "endOf", "pausedColumns"]);
  /**
   * Blocks this process's access to the database, as if it had crashed. After `reconnect`, what it tried to write in
   * between arrives.
   */
  const cutOff = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    reachable = promise;
    // Its lease is not renewed either.
    const renewal = vi.spyOn(opened.database.db, "updateTable").mockImplementation(() => {
      throw new Error("cut off");
    });
    reconnect = () => {
      renewal.mockRestore();
      resolve();
    };
    return { reconnect };
  };
  const emitted: [ExecutionEvent, LogFields][] = [];
  const emit: Emit<ExecutionEvent> = (name, ...[fields]) => void emitted.push([name, { ...fields }]);
  const { database } = opened;
  const { requests } = openInputs({ database, jobs, vault: options.vault, retentionMs: 60_000, emit });
  /** The grants of files that agents used. */
  const grants: Parameters<GrantFiles>[0][] = [];
  const runner = new TaskRunner({
    store,
    tails: new TaskTails({ log: opened.store.log, onFailure: () => undefined }),
    inputs: createTaskInputs({ requests, approvalFor: byRequester }),
    jobs: { ...jobs, store: cut(jobs.store, ["owner"]) },
    now: () => new Date(),
    maxRunning,
    mostAttempts,
    agentOf: async (name) => agents.find((agent) => agent.name === name),
    grantFiles: (grant) => {
      grants.push(grant);
      return async (id) => new TextEncoder().encode(`${grant.handle} opens ${id}`);
    },
    emit,
    tracer: createTracer(),
  });
  const lives = jobs.workOn(createInputKind({ requests }));
  runner.start();
  lives.start();
  onTestFinished(async () => {
    reconnect?.();
    await Promise.all([runner.stop(0), lives.stop(0)]);
    await opened.database.close();
  });
  /** Submits a new question, for the runner's first agent unless another is given. */
  const submit = (members?: Partial<NewTask>, agent = agents[0]): Promise<Task> => {
    const fresh = { key: JSON.stringify(randomUUID()), agent: agent.name, handle: "the-handle" };
    return runner.submit(newTask({ ...fresh, ...members }), agent);
  };
  /** Returns the fields of each event of this name so far. */
  const events = (name: ExecutionEvent): readonly LogFields[] =>
    emitted.flatMap(([one, fields]) => (one === name ? [fields] : []));
  return { store, database, jobs, runner, requests, events, grants, submit, cutOff };
}

/** Delays each method of a store, except those of `open`, until the promise of `reachable` resolves. */
function delayed<Store extends object>(
  store: Store,
  open: readonly (keyof Store)[],
  reachable: () => Promise<void>,
): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member = target[name as keyof Store];
      if (typeof member !== "function") return member;
      const method = member.bind(target) as (...given: never[]) => unknown;
      if (open.includes(name as keyof Store)) return method;
      return async (...given: never[]) => reachable().then(() => method(...given));
    },
  });
}
