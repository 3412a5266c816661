import { isStepType, isWorkflowDefinition, problemsOf, type ParamProblem } from "@crosszone/contracts";
import { ownMember } from "@crosszone/service-kit/json";
import { isReservedName, reservedNameProblem } from "../mapping/scope.ts";
import { toPointer } from "../mapping/reference.ts";
import { kindOf } from "../steps/step-kinds.ts";
import { checkMapping, checkReferences } from "./check-references.ts";
import type { Finding } from "./check-members.ts";
import { nearType, type SoundSteps } from "./sound-steps.ts";
import type { Visibility } from "./visible-names.ts";

/** Steps nested deeper would have paths that are too long to store. */
const maxDepth = 12;

/** Returns the schema problems of a definition, with clearer messages for common mistakes. */
export function shapeProblems(source: unknown): ParamProblem[] {
  return problemsOf(isWorkflowDefinition, source).flatMap((problem) => {
    const { pointer, message } = problem;
    const [, steps, id, type, ...deeper] = pointer.split("/");
    if (steps === "steps" && type === "type" && deeper.length === 0) {
      const near = nearType(ownMember(ownMember(ownMember(source, "steps"), id ?? ""), "type"));
      const meant = near === undefined ? "" : `; did you mean ${near}?`;
      return problemsOf(isStepType, undefined).map((known) => ({ pointer, message: known.message + meant }));
    }
    // YAML parses 1.0 as a number.
    if (pointer === "/version" && message === "must be string")
      return [{ pointer, message: 'must be string; use quotes, such as "1.0"' }];
    return [problem];
  });
}

/** Returns the problems of single steps that the schema does not cover. */
export function checkSteps({ ids, sound }: SoundSteps, agents: ReadonlySet<string> | undefined): ParamProblem[] {
  return [...sound].flatMap(([key, step]) => {
    const at = (keys: readonly string[], message: string): ParamProblem => ({
      pointer: toPointer(["steps", key, ...keys]),
      message,
    });
    return [
      ...(step.id === key ? [] : [at(["id"], `must be ${key}, like its key in steps`)]),
      ...(isReservedName(key) ? [at(["id"], reservedNameProblem)] : []),
      ...kindOf(step)
        .check(step, { ids, agents })
        .map(([keys, message]) => at(keys, message)),
    ];
  });
}

/** Returns the references that can't have a value, in steps and in the output mapping. */
export function checkScopes(source: unknown, { ids, sound }: SoundSteps, visibility: Visibility): Finding[] {
  const { anywhere, atEnd, ofStep } = visibility;
  const given = { ids, sound, inputSchema: ownMember(source, "input_schema") };
  const inSteps = [...sound].flatMap(([id, step]) => {
    const names = ofStep.get(id);
    if (!names) return [];
    const tooDeep = { pointer: toPointer(["steps", id]), message: `is nested in more than ${maxDepth} other steps` };
    return [...(names.depth > maxDepth ? [tooDeep] : []), ...checkReferences(id, step, { ...given, names })];
  });
  const steps = ownMember(source, "steps");
  const inOthers = [...ids].flatMap((id) => {
    if (sound.has(id)) return [];
    const pointer = toPointer(["steps", id, "input_mapping"]);
    return checkMapping(ownMember(ownMember(steps, id), "input_mapping"), pointer, { ...given, names: anywhere });
  });
  const mapping = ownMember(source, "output_mapping");
  return [...inSteps, ...inOthers, ...checkMapping(mapping, "/output_mapping", { ...given, names: atEnd })];
}
