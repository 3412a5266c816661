import type { ParamProblem, WorkflowStep } from "@crosszone/contracts";
import { nearName } from "@crosszone/service-kit/text";
import { toPointer } from "../mapping/reference.ts";
import { isIndexed, joiningSteps, linksOf, listedSteps, type SoundSteps } from "./sound-steps.ts";

interface Edge {
  readonly from?: string;
  readonly to: string;
  readonly pointer: string;
}

/** Finds links to unknown steps, cycles, steps with two owners, and unreachable steps. */
export function checkLinks(steps: SoundSteps, startStep: unknown): ParamProblem[] {
  const start: Edge[] = typeof startStep === "string" ? [{ to: startStep, pointer: "/start_step" }] : [];
  const listed = listedSteps(steps.sound);
  const joins = joiningSteps(steps.sound);
  const edges = [
    ...start,
    ...[...steps.sound].flatMap(([id, step]) => edgesOf(id, step, listed.has(id) || joins.has(id))),
  ];
  const known = edges.filter(({ to }) => steps.ids.has(to));
  const circles = circlesIn(known, steps.ids);
  return [
    ...strayNexts(steps.sound, listed),
    ...edges
      .filter(({ to }) => steps.ids.size > 0 && !steps.ids.has(to))
      .map(({ to, pointer }) => unknownStep(to, pointer, steps.ids)),
    ...circles.map(({ edge, way }) => ({
      pointer: edge.pointer,
      message: `is part of a cycle: ${way.join(" → ")}; repeat steps with a loop`,
    })),
    ...secondOwners(
      known,
      circles.map(({ edge }) => edge),
    ),
    ...unreachable(known, steps, start.length > 0 && known.length === edges.length),
  ];
}

/**
 * Returns each use of a step. The next_step of a step in a list, or at the end of a branch, does not count: the list or the conditional
 * decides.
 */
function edgesOf(from: string, step: WorkflowStep, isLed: boolean): Edge[] {
  return linksOf(step).flatMap((link) => {
    if (link.kind === "next" && isLed) return [];
    return link.ids.map((to, at) => ({
      from,
      to,
      pointer: toPointer(["steps", from, ...link.keys, ...(isIndexed(link) ? [at] : [])]),
    }));
  });
}

/** In a list, the next step is the next item, so next_step must be the same or absent. */
function strayNexts(sound: SoundSteps["sound"], listed: ReadonlyMap<string, ReadonlySet<string>>): ParamProblem[] {
  return [...listed].flatMap(([id, followers]) => {
    const next = sound.get(id)?.next_step;
    if (next === null || next === undefined || followers.has(next)) return [];
    const message = `is ${next}, but the list that contains ${id} decides its next step; remove it, or add ${next} to the list`;
    return [{ pointer: toPointer(["steps", id, "next_step"]), message }];
  });
}

function unknownStep(to: string, pointer: string, ids: ReadonlySet<string>): ParamProblem {
  const near = nearName(to, ids);
  const known = near ? `did you mean ${near}?` : `the steps are ${[...ids].slice(0, 20).join(", ")}`;
  return { pointer, message: `names an unknown step: ${to}; ${known}` };
}

/** Returns the edges that close a cycle. Iterative, because a definition can be deep. */
function circlesIn(edges: readonly Edge[], ids: ReadonlySet<string>): { edge: Edge; way: string[] }[] {
  const from = Map.groupBy(edges, (edge) => edge.from);
  const circles: { edge: Edge; way: string[] }[] = [];
  const done = new Set<string>();
  for (const root of ids) {
    const way: { id: string; left: Edge[] }[] = [];
    const enter = (id: string): void => {
      if (done.has(id)) return;
      done.add(id);
      way.push({ id, left: [...(from.get(id) ?? [])] });
    };
    enter(root);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const edge = top.left.shift();
      if (!edge) {
        way.pop();
        continue;
      }
      const back = way.findIndex(({ id }) => id === edge.to);
      if (back >= 0) circles.push({ edge, way: [...way.slice(back).map(({ id }) => id), edge.to] });
      else enter(edge.to);
    }
  }
  return circles;
}

function secondOwners(edges: readonly Edge[], circles: readonly Edge[]): ParamProblem[] {
  const once = edges.filter((edge) => !circles.includes(edge));
  return [...Map.groupBy(once, ({ to }) => to)].flatMap(([to, [first, ...others]]) =>
    others.map(({ pointer }) => ({
      pointer,
      message: `uses ${to}, which ${first?.pointer} already uses: a step can be used once; to continue after both branches, use the conditional's next_step`,
    })),
  );
}

/** Returns the unreachable steps. Empty if other problems make reachability unknown. */
function unreachable(edges: readonly Edge[], { ids, sound }: SoundSteps, isKnown: boolean): ParamProblem[] {
  if (!isKnown || sound.size < ids.size) return [];
  const from = Map.groupBy(edges, (edge) => edge.from);
  const reached = new Set<string>();
  const open = (from.get(undefined) ?? []).map(({ to }) => to);
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(from.get(id) ?? []).map(({ to }) => to));
  }
  return [...ids]
    .filter((id) => !reached.has(id))
    .map((id) => ({ pointer: toPointer(["steps", id]), message: "is not reachable from start_step" }));
}
