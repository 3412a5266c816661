import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { sql } from "kysely";
import { onTestFinished } from "vitest";
import { createInputKind, type InputKindDeps } from "../inputs/input-kind.ts";
import { InputRequests } from "../inputs/input-requests.ts";
import { openTaskStore, type OpenTaskStoreOptions } from "../tasks/sql/open-task-store.ts";

/** Opens the input requests of one process. They end with the test. */
export async function openInputs(options: OpenTaskStoreOptions) {
  const zone = await openTaskStore(options);
  const { database, jobs } = zone;
  onTestFinished(() => database.close());
  const events: (readonly [event: string, fields: Readonly<Record<string, unknown>>])[] = [];
  const emit: Emit<ExecutionEvent> = (event, ...[fields]) => void events.push([event, fields ?? {}]);
  const requests = new InputRequests({
    database,
    vault: options.vault,
    retentionMs: options.retentionMs ?? 60_000,
    emit,
    jobs: {
      forget: (...of) => jobs.store.forget(...of),
      wakeQuery: (ids) => sql`update job set due_at = 0 where id in (${sql.join(ids)})`,
      wakeHere: () => worker?.wake(),
    },
  });
  let worker: { readonly wake: () => void } | undefined;
  /** Works on requests until the test ends. */
  const work = (deps: Omit<InputKindDeps, "requests"> = {}): void => {
    const started = jobs.workOn(createInputKind({ requests, ...deps }));
    worker = started;
    started.start();
    onTestFinished(() => started.stop(0));
  };
  const jobOf = (id: string) =>
    database.db.selectFrom("job").select(["state", "outcome", "due_at"]).where("id", "=", id).executeTakeFirst();
  return { ...zone, requests, events, work, jobOf };
}
