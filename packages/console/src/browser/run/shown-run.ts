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
import { durationText, shownStepState, spanMs, stateWords } from "../words.ts";

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

export interface TimelineRow {
  readonly stepId: string;
  readonly title: string;
  readonly depth: number;
  readonly bars: readonly {
    readonly path: string;
    readonly state: string;
    /** Percent of the timeline's width. */
    readonly left: number;
    readonly width: number;
  }[];
  /** The time from the first start to the last end. */
  readonly took: string;
  readonly spoken: string;
}

/** More bars in a row would be indistinguishable. */
const mostBars = 300;

/** Returns when each step of a run was active, from its start to its end or now: a row per step, a bar per instance. */
export function timelineRows({ graph, run, steps }: ShownRun, now: number): readonly TimelineRow[] {
  const start = Date.parse(run.started_at ?? run.created_at);
  const whole = Math.max(1, (run.ended_at === undefined ? now : Date.parse(run.ended_at)) - start);
  const parents = new Map(graph.nodes.map(({ id, parent }) => [id, parent]));
  const depthOf = (id: string): number => {
    const parent = parents.get(id);
    return parent === undefined ? 0 : 1 + depthOf(parent);
  };
  const byStep = Map.groupBy([...steps.values()], ({ step_id }) => step_id);
  return graph.nodes.map(({ id, state, title: given, type }) => {
    const title = visibleLine(given);
    const begun = (byStep.get(id) ?? []).filter(({ started_at }) => started_at !== undefined);
    const bars = begun.slice(0, mostBars).map(({ path, state: barState, ...span }) => {
      const left = Math.max(0, Math.min(99.6, ((Date.parse(span.started_at ?? "") - start) / whole) * 100));
      return {
        path,
        state: barState,
        left,
        width: Math.max(0.4, Math.min(100 - left, ((spanMs(span, now) ?? 0) / whole) * 100)),
      };
    });
    const first = Math.min(...begun.map(({ started_at }) => Date.parse(started_at ?? "")));
    const last = Math.max(...begun.map(({ ended_at }) => (ended_at === undefined ? now : Date.parse(ended_at))));
    const took = begun.length === 0 ? "" : durationText(last - first);
    return {
      stepId: id,
      title,
      depth: depthOf(id),
      bars,
      took,
      // The visible text first: people say to their computer what they see.
      spoken: `${title}${took && `, ${took}`}, ${stateWords[shownStepState(state, type)]}`,
    };
  });
}
