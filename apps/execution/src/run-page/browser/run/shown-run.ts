import type { RunGraph, StepChanged, WorkflowRun, WorkflowRunEvent, WorkflowStepRecord } from "@crosszone/contracts";

/** What the page knows of a run. */
export interface ShownRun {
  readonly run: WorkflowRun;
  readonly graph: RunGraph;
  /** Every instance of a step, by its path. */
  readonly steps: ReadonlyMap<string, WorkflowStepRecord>;
  /** The latest change of each instance that is later than `run`, by its path. */
  readonly told: ReadonlyMap<string, StepChanged>;
}

/** What is known once a run was read. What was told while the answer was on its way is later than the answer. */
export function shownRun(run: WorkflowRun, graph: RunGraph, before?: ShownRun): ShownRun {
  const told = new Map([...(before?.told ?? [])].filter(([, { revision }]) => revision > run.revision));
  const steps = new Map(run.steps.map((step) => [step.path, step]));
  for (const [path, { step }] of told) steps.set(path, step);
  return { run, graph, steps, told };
}

/** What is known after a change. To be told one twice does no harm. */
export function withEvent(shown: ShownRun, event: WorkflowRunEvent): ShownRun {
  if (event.type === "run") return { ...shown, run: { ...shown.run, state: event.state } };
  const { path } = event.step;
  return {
    ...shown,
    steps: new Map(shown.steps).set(path, event.step),
    told: new Map(shown.told).set(path, event),
  };
}

const byPath = new Intl.Collator("en", { numeric: true });

/** The instances of a step: one, or in loops one for each item. */
export function instancesOf({ steps }: ShownRun, stepId: string): readonly WorkflowStepRecord[] {
  return [...steps.values()]
    .filter(({ step_id }) => step_id === stepId)
    .toSorted((a, b) => byPath.compare(a.path, b.path));
}
