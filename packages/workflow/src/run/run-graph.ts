import type {
  RunGraph,
  RunGraphEdge,
  StepState,
  TaskStep,
  WorkflowDefinition,
  WorkflowStep,
} from "@crosszone/contracts";
import { chainFrom, hasEnded, itemPrefix, type RunRecord, type RunView, stepOf, viewOf } from "../steps/run-record.ts";
import { agentOf, insideOf, repeatOf } from "../steps/step-kinds.ts";
import { laneEnd, mainLane, splitOf } from "./lanes.ts";

/** A step of a definition with the combined state of its instances. */
interface SurveyedStep {
  readonly step: WorkflowStep;
  readonly state: StepState;
  /** Nesting depth. */
  readonly depth: number;
  /** The enclosing step. */
  readonly parent?: string;
  /** The part of the enclosing step: a branch of a fork or of a condition. */
  readonly lane?: string;
  /** The step before it in its lane; absent for the first. */
  readonly previous?: string;
  /** For a loop, its items; inside a loop, the instances. `total` is the number known so far. Absent before the loop starts. */
  readonly progress?: { readonly done: number; readonly total: number };
}

/** A place where instances of a step exist or can be created. */
interface Place {
  readonly prefix: string;
  /** False if steps without a record there will never run. */
  readonly isOpen: boolean;
}

interface Around {
  readonly places: readonly Place[];
  readonly depth: number;
  readonly isInLoop: boolean;
  readonly parent?: string;
  readonly lane?: string;
}

/** Returns all steps of a definition with their states in a run, in execution order. Inner steps follow the step that contains them. */
function survey(definition: WorkflowDefinition, run: RunRecord): readonly SurveyedStep[] {
  const view = viewOf(definition, run);
  const places = [{ prefix: "", isOpen: !hasEnded(run) }];
  return surveyLane(view, mainLane(view).paths, { places, depth: 0, isInLoop: false });
}

function surveyLane(view: RunView, ids: readonly string[], around: Around): readonly SurveyedStep[] {
  return ids.flatMap((id, index) => {
    const step = stepOf(view.definition, id);
    const { depth, isInLoop, lane, parent, places } = around;
    const states = places.map(({ isOpen, prefix }) => {
      return view.steps.get(prefix + id)?.state ?? (isOpen ? "pending" : "skipped");
    });
    const previous = ids[index - 1];
    const progress = repeatOf(step) ? itemsOf(view, id, places) : isInLoop ? instancesOf(states) : undefined;
    const surveyed = { step, state: together(states), depth, parent, lane, previous, progress };
    return [surveyed, ...surveyInside(view, step, around)];
  });
}

function surveyInside(view: RunView, step: WorkflowStep, around: Around): readonly SurveyedStep[] {
  return insideOf(step).flatMap(({ kind, ids, label, isSkipped = () => false }) => {
    const left = around.places.map(({ isOpen, prefix }) => {
      const record = view.steps.get(prefix + step.id);
      return { prefix, isOpen: isOpen && !(record && hasEnded(record)) && !isSkipped(record) };
    });
    const items = repeatOf(step) && itemsIn(view, step.id, left);
    const inner: Around = {
      places: items?.places ?? left,
      depth: around.depth + 1,
      isInLoop: items?.areKnown ?? around.isInLoop,
      parent: step.id,
      lane: label,
    };
    const orders = {
      chain: [chainFrom(view.definition, ids[0], step.next_step)],
      list: [ids],
      set: ids.map((id) => [id]),
    };
    return orders[kind].flatMap((order) => surveyLane(view, order, inner));
  });
}

/** Returns the places of a loop's body. Before the items are known, the body has one place. */
function itemsIn(
  { steps }: RunView,
  id: string,
  places: readonly Place[],
): { readonly places: readonly Place[]; readonly areKnown: boolean } {
  const items = places.flatMap(({ isOpen, prefix }) =>
    Array.from({ length: steps.get(prefix + id)?.count ?? 0 }, (_, index) => ({
      prefix: itemPrefix(prefix + id, index),
      isOpen,
    })),
  );
  if (items.length > 0) return { places: items, areKnown: true };
  const body = places.map(({ isOpen, prefix }) => ({ prefix: itemPrefix(prefix + id, 0), isOpen }));
  return { places: body, areKnown: false };
}

function itemsOf(view: RunView, id: string, places: readonly Place[]): SurveyedStep["progress"] {
  const loops = places.flatMap(({ prefix }) => {
    const record = view.steps.get(prefix + id);
    return record?.count === undefined
      ? []
      : [{ lanes: splitOf(view, prefix + id, record).lanes, count: record.count }];
  });
  if (loops.length === 0) return undefined;
  const ended = loops.flatMap(({ lanes }) => lanes).filter((lane) => laneEnd(view, lane).state !== "open");
  return { done: ended.length, total: loops.reduce((sum, { count }) => sum + count, 0) };
}

function instancesOf(states: readonly StepState[]): SurveyedStep["progress"] {
  const open = states.filter((state) => state === "pending" || state === "running").length;
  return { done: states.length - open, total: states.length };
}

/** Combines the states of instances: running if any instance is, otherwise the worst. */
function together(states: readonly StepState[]): StepState {
  const found = new Set(states);
  if (found.has("running")) return "running";
  if (found.has("pending"))
    return ["succeeded", "failed", "canceled"].some((state) => found.has(state as StepState)) ? "running" : "pending";
  for (const state of ["failed", "canceled", "succeeded"] as const) if (found.has(state)) return state;
  return "skipped";
}

/** Returns the steps of a run as a list for people: one line for each step of the definition, whatever the number of its instances. */
export function progressOf(definition: WorkflowDefinition, run: RunRecord): TaskStep[] {
  return survey(definition, run).map(({ depth, progress, state, step }) => ({
    id: step.id,
    title: step.title ?? step.id,
    uses: agentOf(step),
    state,
    depth,
    ...progress,
  }));
}

/** Returns a run as a graph: each step of its definition is a node with the combined state of its instances. */
export function graphOf(
  definition: WorkflowDefinition,
  run: RunRecord,
): { nodes: RunGraph["nodes"]; edges: RunGraphEdge[] } {
  const steps = survey(definition, run);
  return {
    nodes: steps.map(({ parent, progress, state, step }) => ({
      id: step.id,
      title: step.title ?? step.id,
      type: step.type,
      agent_name: agentOf(step),
      state,
      parent,
      ...progress,
    })),
    edges: steps.flatMap(({ lane, parent, previous, state, step }): RunGraphEdge[] => {
      const is_taken = state !== "pending" && state !== "skipped";
      if (previous !== undefined) return [{ from: previous, to: step.id, kind: "next", is_taken }];
      if (parent === undefined) return [];
      return [{ from: parent, to: step.id, kind: "inside", label: lane, is_taken }];
    }),
  };
}
