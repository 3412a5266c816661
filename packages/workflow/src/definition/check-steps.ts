import type { ForkJoinStep, LoopStep, ParamProblem, WorkflowStep } from "@crosszone/contracts";
import { isVariableName } from "../conditions/cel-environment.ts";
import { toPointer } from "../pointers.ts";
import { reservedNames } from "../scope.ts";
import type { SoundSteps } from "./sound-steps.ts";

/** What is wrong with a step by itself, beyond what the schema says. */
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
      `names no agent that is registered; there ${isOrAre([...(agents ?? [])])}`,
    ]);
  if (step.type === "conditional")
    return when(!step.if_true_step && !step.if_false_step, [
      ["if_true_step"],
      "is missing, and so is if_false_step: a conditional leads somewhere one way at least",
    ]);
  if (step.type === "loop") return ofIterator(step, ids);
  return step.type === "fork_join" ? ofJoin(step) : [];
}

function ofIterator({ loop_config: { iterator_variable: name } }: LoopStep, ids: ReadonlySet<string>): Finding[] {
  if (name === undefined || name === "item") return [];
  const keys = ["loop_config", "iterator_variable"];
  return [
    ...when(reservedNames.has(name), [keys, isReserved] as const),
    ...when(ids.has(name), [keys, `is the name of the step ${name} too; choose another`] as const),
    ...when(!reservedNames.has(name) && !isVariableName(name), [
      keys,
      `is a word of CEL, the language of conditions; choose another, as in ${name}_of_list`,
    ] as const),
  ];
}

const isReserved = `is a word that references begin with (${[...reservedNames].join(", ")}); choose another`;

function ofJoin({ fork_join_config: config }: ForkJoinStep): Finding[] {
  const { join_policy: policy, n_required: required } = config;
  const branches = Object.keys(config.branches).length;
  const keys = ["fork_join_config", "n_required"];
  if (policy !== "n_of_m") return when(required !== undefined, [keys, `is for n_of_m only, not for ${policy}`]);
  if (required === undefined) return [[keys, "is missing; n_of_m needs it"]];
  return when(required > branches, [keys, `is more than there are branches: ${branches}`]);
}

/** The first of them by name: what was meant is most often there. */
function isOrAre(names: readonly string[]): string {
  return names.length === 0 ? "is none" : `are ${names.toSorted().slice(0, 20).join(", ")}`;
}

function when<Found>(holds: boolean, found: Found): Found[] {
  return holds ? [found] : [];
}
