import type { ForkJoinStep, LoopStep, ParamProblem, WorkflowStep } from "@crosszone/contracts";
import { isVariableName } from "../conditions/cel-environment.ts";
import { toPointer } from "../pointers.ts";
import { reservedNames } from "../scope.ts";
import type { SoundSteps } from "./sound-steps.ts";

/** Returns the problems of single steps that the schema does not cover. */
export function checkSteps({ ids, sound }: SoundSteps, agents: ReadonlySet<string> | undefined): ParamProblem[] {
  return [...sound].flatMap(([key, step]) => {
    const at = (keys: readonly string[], message: string): ParamProblem => ({
      pointer: toPointer(["steps", key, ...keys]),
      message,
    });
    return [
      ...when(step.id !== key, at(["id"], `must be ${key}, like its key in steps`)),
      ...when(reservedNames.has(key), at(["id"], isReserved)),
      ...ofType(step, ids, agents).map(([keys, message]) => at(keys, message)),
    ];
  });
}

type Finding = readonly [keys: readonly string[], message: string];

function ofType(step: WorkflowStep, ids: ReadonlySet<string>, agents: ReadonlySet<string> | undefined): Finding[] {
  if (step.type === "agent")
    return when(agents !== undefined && !agents.has(step.agent_name), [
      ["agent_name"],
      `is not a registered agent; registered ${isOrAre([...(agents ?? [])])}`,
    ]);
  if (step.type === "conditional")
    return when(!step.if_true_step && !step.if_false_step, [
      ["if_true_step"],
      "is missing, and so is if_false_step; set at least one of them",
    ]);
  if (step.type === "loop") return ofIterator(step, ids);
  return step.type === "fork_join" ? ofJoin(step) : [];
}

function ofIterator({ loop_config: { iterator_variable: name } }: LoopStep, ids: ReadonlySet<string>): Finding[] {
  if (name === undefined || name === "item") return [];
  const keys = ["loop_config", "iterator_variable"];
  return [
    ...when(reservedNames.has(name), [keys, isReserved] as const),
    ...when(ids.has(name), [keys, `is also the id of the step ${name}; choose another name`] as const),
    ...when(!reservedNames.has(name) && !isVariableName(name), [
      keys,
      `is a reserved word of CEL, the language of conditions; choose another name, such as ${name}_of_list`,
    ] as const),
  ];
}

const isReserved = `is reserved for references (${[...reservedNames].join(", ")}); choose another name`;

function ofJoin({ fork_join_config: config }: ForkJoinStep): Finding[] {
  const { join_policy: policy, n_required: required } = config;
  const branches = Object.keys(config.branches).length;
  const keys = ["fork_join_config", "n_required"];
  if (policy !== "n_of_m") return when(required !== undefined, [keys, `is only for n_of_m, not for ${policy}`]);
  if (required === undefined) return [[keys, "is missing; n_of_m requires it"]];
  return when(required > branches, [keys, `is more than the number of branches, ${branches}`]);
}

/** Lists the first ones by name. */
function isOrAre(names: readonly string[]): string {
  return names.length === 0 ? "is none" : `are ${names.toSorted().slice(0, 20).join(", ")}`;
}

function when<Found>(holds: boolean, found: Found): Found[] {
  return holds ? [found] : [];
}
