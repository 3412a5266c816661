import type {
  InputRequest,
  RunGraph,
  StepChanged,
  WorkflowDefinition,
  WorkflowRun,
  WorkflowRunEvent,
  WorkflowStepRecord,
} from "@crosszone/contracts";
import { visibleLine } from "@crosszone/service-kit/text";

/** The page's current data of a run. */
export interface ShownRun {
  readonly run: WorkflowRun;
  readonly graph: RunGraph;
  /** Every step instance, by its path. */
  readonly steps: ReadonlyMap<string, WorkflowStepRecord>;
  /** The latest event of each instance that is newer than `run`, by its path. */
  readonly told: ReadonlyMap<string, StepChanged>;
  /** The input requests of the run, latest change first. */
  readonly inputs: readonly InputRequest[];
}

/** Returns the data after a read. Events that arrived during the read are newer than its response. */
export function shownRun(run: WorkflowRun, graph: RunGraph, before?: ShownRun): ShownRun {
  const told = new Map(before?.told.entries().filter(([, { revision }]) => revision > run.revision));
  const steps = new Map(run.steps.map((step) => [step.path, step]));
  for (const [path, { step }] of told) steps.set(path, step);
  return { run, graph, steps, told, inputs: before?.inputs ?? [] };
}

/** Returns the data after an event. Applying an event twice changes nothing. */
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

/** Returns the open input requests of a run, or the closed ones. */
export const inputsOf = ({ inputs }: ShownRun, isOpen: boolean): readonly InputRequest[] =>
  inputs.filter(({ state }) => (state === "open") === isOpen);

/** Returns the instances of a step: one, or in loops one per item. */
export function instancesOf({ steps }: ShownRun, stepId: string): readonly WorkflowStepRecord[] {
  return [...steps.values()]
    .filter(({ step_id }) => step_id === stepId)
    .toSorted((a, b) => byPath.compare(a.path, b.path));
}

/** The selected step, or one pass of it through a loop. Without a selection the panel shows the run. */
export interface Selection {
  readonly stepId: string;
  readonly path?: string;
}

/** Selects the step at a path, such as `each[3].slips`. */
export function selectionOf(path: string): Selection {
  return { stepId: path.slice(path.lastIndexOf(".") + 1), path };
}

/** Returns the title of the step at a path; within a loop, with the path. */
export function stepTitle(steps: WorkflowDefinition["steps"], path: string): string {
  const { stepId } = selectionOf(path);
  const title = steps[stepId]?.title;
  if (title === undefined) return path;
  return path === stepId ? visibleLine(title) : `${visibleLine(title)} (${path})`;
}
