import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { onTestFinished } from "vitest";
import { createInputKind, type InputKindDeps } from "../people/run-inputs.ts";
import { openInputs } from "../zone/open-inputs.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "../tasks/store/task-store.ts";

/** Opens the input requests of one process. They end with the test. */
export async function openInputsOf(options: OpenTaskStoreOptions) {
  const zone = await openTaskStore(options);
  const { database, jobs } = zone;
  onTestFinished(() => database.close());
  const events: (readonly [event: string, fields: Readonly<Record<string, unknown>>])[] = [];
  const emit: Emit<ExecutionEvent> = (event, ...[fields]) => void events.push([event, fields ?? {}]);
  const { vault, retentionMs = 60_000 } = options;
  const { requests } = openInputs({ database, jobs, vault, retentionMs, emit });
  /** Works on requests until the test ends. */
  const work = (deps: Omit<InputKindDeps, "requests"> = {}): void => {
    const worker = jobs.workOn(createInputKind({ requests, ...deps }));
    worker.start();
    onTestFinished(() => worker.stop(0));
  };
  const jobOf = (id: string) =>
    database.db.selectFrom("job").select(["state", "outcome", "due_at"]).where("id", "=", id).executeTakeFirst();
  return { ...zone, requests, events, emit, work, jobOf };
}
