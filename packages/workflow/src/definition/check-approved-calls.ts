import type { HumanStep, ParamProblem } from "@crosszone/contracts";
import { toPointer } from "../mapping/reference.ts";
import type { SoundSteps } from "./sound-steps.ts";
import type { Visibility } from "./visible-names.ts";

/** Finds agent steps whose `approved_by` names no step that approves their call, and only that one call. */
export function checkApprovedCalls({ sound }: SoundSteps, { ofStep }: Visibility): ParamProblem[] {
  const users = new Map<string, string>();
  return [...sound].flatMap(([id, step]): ParamProblem[] => {
    if (step.type !== "agent" || step.approved_by === undefined) return [];
    const { approved_by: name, agent_name } = step;
    const [own, other] = [ofStep.get(id), ofStep.get(name)];
    const { type, input, action } = (sound.get(name) ?? {}) as Partial<HumanStep>;
    const user = users.get(name);
    users.set(name, id);
    const problem = (): string | undefined => {
      if (type !== "human" || input !== "approve" || action === undefined)
        return `must name a human step with the input approve and an action, not ${name}`;
      if (action.tool !== agent_name)
        return `names ${name}, which approves a call of ${action.tool}, not of ${agent_name}`;
      if (user !== undefined) return `names ${name}, which approves the call of ${user}; one approval is for one call`;
      if (own?.certain.has(name) !== true) return `names ${name}, which has not surely ended when ${id} starts`;
      const isRepeated = [...own.variables].some((variable) => other?.variables.has(variable) !== true);
      return isRepeated ? `names ${name}, which is outside of the loop; one approval is for one call` : undefined;
    };
    const message = problem();
    return message === undefined ? [] : [{ pointer: toPointer(["steps", id, "approved_by"]), message }];
  });
}
