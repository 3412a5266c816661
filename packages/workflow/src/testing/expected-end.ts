import { itemPrefix } from "../state/step-path.ts";
import type { Planned } from "./plan-tree.ts";

/** Returns whether the agent of a step succeeds. */
export type Outcome = (path: string) => boolean;

/** Returns whether a lane succeeds without timeouts, by the definition of the step types. The reducer must agree. */
export function laneSucceeds(lane: readonly Planned[], prefix: string, outcome: Outcome): boolean {
  return lane.every((step) => stepSucceeds(step, prefix, outcome));
}

function stepSucceeds({ id, lanes, node }: Planned, prefix: string, outcome: Outcome): boolean {
  const inside = (): number => lanes.filter((lane) => laneSucceeds(lane, prefix, outcome)).length;
  if (node.type === "agent") return node.goesOn || (node.isMapped && outcome(prefix + id));
  if (node.type === "parallel") return node.goesOn || inside() === lanes.length;
  if (node.type === "conditional") {
    if (node.condition.includes("nowhere")) return false;
    return laneSucceeds(lanes[node.condition === "true" ? 0 : 1] ?? [], prefix, outcome);
  }
  if (node.type === "loop") {
    if (node.onError !== "stop") return true;
    return Array.from({ length: node.items }, (_, index) => itemPrefix(prefix + id, index)).every((each) =>
      laneSucceeds(lanes[0] ?? [], each, outcome),
    );
  }
  const required = Math.min(node.required, lanes.length);
  const need = { all: lanes.length, any: 1, majority: Math.floor(lanes.length / 2) + 1, n_of_m: required };
  return inside() >= need[node.policy];
}
