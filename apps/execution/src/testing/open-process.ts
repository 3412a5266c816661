import { createCallIntake } from "@crosszone/agent-bridge";
import { createRecordCodec, type Vault, type RecordCodec } from "@crosszone/service-kit";
import type { CallEnds, CallIntake } from "@crosszone/jobs";
import { onTestFinished, vi, type Mock } from "vitest";
import { createCallEnds, type CallEndsDeps } from "../agents/calls/call-ends.ts";
import { createReadCalls } from "../agents/calls/call-reader.ts";
import { createTaskCalls, type TaskCalls, type CallObserver } from "../agents/calls/task-calls.ts";
import { openTaskStore, type OpenedTaskStore } from "../tasks/sql/open-task-store.ts";

/** A process's part in calls of agents, on a database that others may share. */
export interface TestProcess extends OpenedTaskStore {
  readonly url: string;
  readonly intake: CallIntake;
  readonly calls: TaskCalls;
  readonly ends: CallEnds;
  readonly codec: RecordCodec;
  readonly callFailed: Mock<CallObserver["callFailed"]>;
}

export interface TestProcessOptions extends Pick<CallEndsDeps, "gateway"> {
  readonly vault?: Vault | undefined;
  readonly runs?: CallEndsDeps["runs"];
  readonly advancesRuns?: boolean;
}

const noRuns: CallEndsDeps["runs"] = { endCall: async () => false, handOver: async () => false };

/** Opens a process without a bridge: its calls wait for one. Ends with the test. */
export async function openProcess(url: string, options: TestProcessOptions = {}): Promise<TestProcess> {
  const { vault, runs = noRuns, advancesRuns = false, gateway } = options;
  const opened = await openTaskStore({ url, vault });
  const { jobs, database } = opened;
  const callFailed = vi.fn<CallObserver["callFailed"]>();
  const intake = createCallIntake({ store: jobs.store, vault });
  const read = createReadCalls(database, vault);
  const calls = createTaskCalls({ intake, jobs: jobs.store, read, deadlineMs: 60_000, observer: { callFailed } });
  jobs.onEnded(calls.readSoon);
  const { store, endTogether } = jobs;
  const ends = createCallEnds({ store, endTogether, deliverToTask: calls.deliver, runs, advancesRuns, gateway });
  onTestFinished(async () => {
    await calls.stop();
    await database.close();
  });
  return { ...opened, url, intake, calls, ends, codec: createRecordCodec(vault), callFailed };
}
