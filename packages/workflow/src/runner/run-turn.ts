import type { BusMessage } from "@crosszone/bus";
import { changedSteps, type RunRecord, type StepRecord } from "../run/run-record.ts";
import { reduce } from "../run/reduce.ts";
import type { RunCommand, RunEvent } from "../run/run-events.ts";
import type { StepChange } from "../store/step-row.ts";
import type { StoredRun } from "../store/stored-run.ts";
import { messageOf } from "./message-of.ts";

/** The result of applying events to a run. */
export interface RunTurn {
  readonly before: StoredRun;
  readonly after: RunRecord;
  /** Each changed step attempt once, in its latest state. */
  readonly steps: readonly StepChange[];
  readonly messages: readonly BusMessage[];
  /** For each event in order, whether it changed the run. For a repeated request, true if its first occurrence did. */
  readonly hasChanged: readonly boolean[];
  /** The last request that changed the run. */
  readonly lastRequest: string | null;
  readonly fault?: unknown;
}

/** `request` identifies a person's request, so that a repetition after a lost response has no further effect. */
export type RequestedEvent = RunEvent & { readonly request?: string };

/** Applies events to a run in order. */
export function turnOf(before: StoredRun, events: readonly RequestedEvent[]): RunTurn {
  const steps = new Map<string, StepChange>();
  const messages: BusMessage[] = [];
  const hasChanged: boolean[] = [];
  let after = before.record;
  let { lastRequest } = before;
  let fault: unknown;
  for (const event of events) {
    const { request } = event;
    if (request !== undefined && request === lastRequest) {
      hasChanged.push(true);
      continue;
    }
    const reduction = reduce(before.plan, after, event);
    const given = inputsOf(reduction.commands);
    for (const [path, step] of changedSteps(after, reduction.run)) {
      const key = JSON.stringify([path, step.attempt]);
      const input = given.get(path) ?? steps.get(key)?.given;
      steps.set(key, { path, step, ...(input && { given: input }) });
    }
    messages.push(...reduction.commands.flatMap((command) => messageOf(command, before, event.at)));
    hasChanged.push(reduction.run !== after);
    if (reduction.run !== after && request !== undefined) lastRequest = request;
    after = reduction.run;
    fault ??= reduction.fault;
  }
  const broken = fault === undefined ? {} : { fault };
  return { before, after, steps: [...steps.values()], messages, hasChanged, lastRequest, ...broken };
}

function inputsOf(commands: readonly RunCommand[]): ReadonlyMap<string, NonNullable<StepChange["given"]>> {
  return new Map(
    commands.flatMap((command) =>
      command.type === "dispatch" ? [[command.path, { task_id: command.task_id, input: command.input }] as const] : [],
    ),
  );
}

/** Returns how long an ended step took, milliseconds. */
export function durationOf({ started_at, ended_at }: Pick<StepRecord, "started_at" | "ended_at">): number | undefined {
  return started_at === undefined || ended_at === undefined ? undefined : ended_at - started_at;
}
