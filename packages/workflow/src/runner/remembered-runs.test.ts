import { randomUUID } from "node:crypto";
import { type AgentTask, isWorkflowRun, problemsOf, type WorkflowDefinition } from "@crosszone/contracts";
import { agentCallJob, callId, type CallIntake } from "@crosszone/jobs";
import { createRecordCodec } from "@crosszone/service-kit";
import { onBothEngines } from "@crosszone/testkit/postgres";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { createRunReader } from "../store/run-reader.ts";
import { createPlans, createRunCache } from "../store/stored-run.ts";
import { agentResult } from "../testing/fake-agents.ts";
import { openWorkflowDatabase, recordingObserver } from "../testing/executor-parts.ts";
import { definitionOf, planned, planNodes } from "../testing/plan-tree.ts";
import { createAdvance } from "./advance-runs.ts";
import type { RunHappening } from "./advance.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createStartRun } from "./start-runs.ts";

const happenings = fc.array(
  fc.record({
    what: fc.constantFrom("succeed", "succeed", "succeed", "fail", "time", "retry", "cancel"),
    at: fc.nat({ max: 20 }),
    forgets: fc.boolean(),
  }),
  { maxLength: 25 },
);

onBothEngines("a run in the cache", (newDatabase) => {
  test("B12, N5: equals the stored run for any plan and any events, and its public view matches its schema", async () => {
    const database = await openWorkflowDatabase(await newDatabase());
    onTestFinished(() => database.close());
    const codec = createRecordCodec(undefined);
    const reading = { codec, planOf: createPlans() };
    const sent: AgentTask[] = [];
    const intake: CallIntake = {
      enter: async (call) => ({
        job: agentCallJob(call, "leased", codec),
        stored: () => void sent.push(call.task),
        notStored: () => undefined,
      }),
      cancel: async () => undefined,
    };
    const [remembering, forgetting] = [createRunCache(), createRunCache(0)];
    const { observer } = recordingObserver();
    const runBroken = (_: unknown, fault: unknown): never => {
      throw fault;
    };
    const deps = {
      ...reading,
      database: database as never,
      jobs: { owner: () => "me" },
      intake,
      observer: { ...observer, runBroken },
      clock: createDatabaseClock(),
      onChanged: () => undefined,
    };
    const advances = [remembering, forgetting].map((cache) => createAdvance({ ...deps, cache }));
    let definition: WorkflowDefinition | undefined;
    const versions = { find: async () => definition && { definition, text: JSON.stringify(definition) } };
    const limits = { deadlineMs: 60_000, stepTimeoutMs: 60_000, maxRunning: 5, maxRunBytes: 1_000_000, retentionMs: 1 };
    const startRun = createStartRun({ ...deps, cache: remembering, versions, limits });
    const reader = createRunReader(database, reading);

    await fc.assert(
      fc.asyncProperty(planNodes.map(planned), happenings, async (lane, all) => {
        definition = { ...definitionOf(lane), workflow_id: `w-${randomUUID()}` };
        sent.length = 0;
        const started = await startRun({ workflow_id: definition.workflow_id });
        if (started.outcome !== "started") throw new Error(started.outcome);
        const { run_id } = started.run;
        for (const { what, at, forgets } of all) {
          const task = sent[at % Math.max(1, sent.length)];
          const happening = happeningOf(what, task);
          if (happening) await advances[forgets ? 1 : 0]?.(run_id, happening);
          const found = await reader.get(run_id);
          if (found === undefined) throw new Error("the run is gone");
          expect(problemsOf(isWorkflowRun, found.run)).toEqual([]);
          // Undefined when another process made the last change.
          const { record = found.record } =
            remembering.get({ run_id, revision: found.run.revision, created_at: Date.parse(found.run.created_at) }) ??
            {};
          expect(found.record).toEqual(record);
        }
      }),
      { numRuns: 30 },
    );
  }, 60_000);
});

function happeningOf(what: string, task: AgentTask | undefined): RunHappening | undefined {
  if (what === "time") return { type: "time_passed" };
  if (what === "retry") return { type: "retry_requested", request: randomUUID() };
  if (what === "cancel") return { type: "cancel_requested", request: randomUUID() };
  if (task === undefined) return undefined;
  const end = what === "fail" ? { message: "no" } : { output: task.input_data };
  const call = { id: callId(task), attempt: 1, end: { outcome: what, output: null } };
  return { type: "result_received", result: agentResult(task, end), call };
}
