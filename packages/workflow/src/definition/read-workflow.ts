import {
  type HumanStep,
  isStepType,
  isWorkflowDefinition,
  type ParamProblem,
  problemsOf,
  type WorkflowDefinition,
} from "@crosszone/contracts";
import { isObject, ownMember } from "@crosszone/service-kit/json";
import { toPointer } from "../mapping/reference.ts";
import { isReservedName, reservedNameProblem } from "../mapping/scope.ts";
import type { KnownNames, StepFinding } from "../steps/step-kind.ts";
import { stepKindOf } from "../steps/step-kinds.ts";
import { checkLinks, checkMapping, checkReferences, type MemberProblem } from "./check-references.ts";
import { readInputSchema } from "./input-schema.ts";
import {
  linksOf,
  nearType,
  soundSteps,
  type SoundSteps,
  type Visibility,
  visibilityOf,
  withStepTypes,
} from "./sound-steps.ts";

type Names = readonly string[] | ReadonlySet<string>;

export interface ReadWorkflowOptions {
  /** Names of the known agents. If absent, agent names are not checked, as for a run that has started. */
  readonly agents?: Names;
  /** Ids of the stored workflows, as above. */
  readonly workflows?: Names;
  /** Whether a language model is connected; absent if that is not known. */
  readonly hasModel?: boolean;
  /** The models that `prompt` steps can name; absent if they can name any. */
  readonly models?: readonly string[];
}

/** A valid definition with explicit step types, or the problems of the definition. */
export interface ReadWorkflow {
  readonly definition?: WorkflowDefinition;
  readonly problems: readonly ParamProblem[];
  /** What is valid, but probably not what the author means. */
  readonly warnings?: readonly ParamProblem[];
}

/** Limits against generated definitions, which would take long to check and to report. */
const maxSteps = 500;
const maxIdLength = 64;
/** Each step has one place, so more links than this make no sense. */
const maxLinks = 2000;

/** Limits the response to a hostile body, which could cause hundreds of thousands. */
const maxProblems = 200;

/**
 * Reads a definition, also in the older format of linked plans without step types. Reports all problems at once (the first 200), each with
 * a JSON pointer (RFC 6901). Never throws, whatever the source is.
 */
export function readWorkflow(
  source: unknown,
  { agents, workflows, hasModel, models }: ReadWorkflowOptions = {},
): ReadWorkflow {
  const typed = withStepTypes(source);
  const steps = soundSteps(typed);
  const tooLarge = tooLargeBy(steps);
  if (tooLarge) return { problems: [{ pointer: "/steps", message: tooLarge }], warnings: [] };

  // Without steps, every use of one would look wrong.
  if (!isObject(ownMember(typed, "steps"))) return { problems: shapeProblems(typed), warnings: [] };

  const start = ownMember(typed, "start_step");
  const inputSchema = ownMember(typed, "input_schema");
  const { problems: inputProblems = [] } = isObject(inputSchema) ? readInputSchema(inputSchema) : {};
  const visibility = visibilityOf(steps, start);
  const known = { agents: namesIn(agents), workflows: namesIn(workflows), hasModel, models };
  const found = [
    ...checkSteps(steps, known).take(maxProblems),
    ...checkScopes(typed, steps, visibility).take(maxProblems),
  ];
  const [warnings, stepProblems] = [true, false].map((wanted) =>
    found.flatMap(({ isWarning = false, ...problem }) => (isWarning === wanted ? problem : [])),
  ) as [ParamProblem[], ParamProblem[]];
  const problems = [
    ...shapeProblems(typed),
    ...checkLinks(steps, start).take(maxProblems),
    ...stepProblems,
    ...checkApprovedCalls(steps, visibility),
    ...inputProblems.map(({ pointer, message }) => ({ pointer: `/input_schema${pointer}`, message })),
  ];
  if (problems.length > 0 || !isWorkflowDefinition(typed))
    return { problems: problems.slice(0, maxProblems), warnings };
  return { definition: typed, problems: [], warnings };
}

/** Returns all problems of a definition; empty when it is valid. Never throws. */
export function validateWorkflow(source: unknown, options: ReadWorkflowOptions = {}): readonly ParamProblem[] {
  return readWorkflow(source, options).problems;
}

function tooLargeBy({ ids, sound }: SoundSteps): string | undefined {
  if (ids.size > maxSteps) return `has more than ${maxSteps} steps; split it into several workflows`;
  if ([...ids].some((id) => id.length > maxIdLength)) return `has an id of more than ${maxIdLength} characters`;
  const links = [...sound.values()].flatMap(linksOf).reduce((sum, link) => sum + link.ids.length, 0);
  return links > maxLinks ? `has more than ${maxLinks} links between steps; each step can be used once` : undefined;
}

/** Steps nested deeper would have paths that are too long to store. */
const maxDepth = 12;

/** Returns the schema problems of a definition, with clearer messages for common mistakes. */
function shapeProblems(source: unknown): ParamProblem[] {
  return problemsOf(isWorkflowDefinition, source).flatMap((problem) => {
    const { pointer, message } = problem;
    const [, steps, id, type, ...deeper] = pointer.split("/");
    if (steps === "steps" && type === "type" && deeper.length === 0) {
      const near = nearType(ownMember(ownMember(ownMember(source, "steps"), id ?? ""), "type"));
      const meant = near === undefined ? "" : `; did you mean ${near}?`;
      return problemsOf(isStepType, undefined).map((known) => ({ pointer, message: known.message + meant }));
    }
    if (pointer === "/steps" && Array.isArray(ownMember(source, "steps")))
      return [{ pointer, message: "must be a map by id, not a list" }];
    // YAML parses 1.0 as a number.
    if (pointer === "/version" && message === "must be string")
      return [{ pointer, message: 'must be string; use quotes, such as "1.0"' }];
    return [problem];
  });
}

const namesIn = (names: Names | undefined) => names && new Set([...names].toSorted());

/** Yields the problems of single steps that the schema does not cover, and warnings. Known names are in order. */
function checkSteps({ ids, sound }: SoundSteps, known: Omit<KnownNames, "ids">): IteratorObject<MemberProblem> {
  return sound.entries().flatMap(([key, step]) => {
    const at = (...[keys, message, what]: StepFinding): MemberProblem => ({
      pointer: toPointer(["steps", key, ...keys]),
      message,
      isWarning: what === "warning",
    });
    return [
      ...(step.id === key ? [] : [at(["id"], `must be ${key}, like its key in steps`)]),
      ...(isReservedName(key) ? [at(["id"], reservedNameProblem)] : []),
      ...(step.type === "prompt" && step.schema ? (readInputSchema(step.schema).problems ?? []) : []).map((problem) =>
        at(["schema"], `${problem.pointer} ${problem.message}`.trim()),
      ),
      ...stepKindOf(step)
        .check(step, { ids, ...known })
        .map((finding) => at(...finding)),
    ];
  });
}

/** Yields the references that can't have a value, in steps and in the output mapping. */
function* checkScopes(source: unknown, all: SoundSteps, visibility: Visibility): Generator<MemberProblem> {
  const { ids, sound } = all;
  const { anywhere, atEnd, ofStep } = visibility;
  const given = { ...all, inputSchema: ownMember(source, "input_schema") };
  for (const [id, step] of sound) {
    const names = ofStep.get(id);
    if (!names) continue;
    if (names.depth > maxDepth)
      yield { pointer: toPointer(["steps", id]), message: `is nested in more than ${maxDepth} other steps` };
    yield* checkReferences(id, step, { ...given, names });
  }
  const steps = ownMember(source, "steps");
  for (const id of ids) {
    if (sound.has(id)) continue;
    const pointer = toPointer(["steps", id, "input_mapping"]);
    yield* checkMapping(ownMember(ownMember(steps, id), "input_mapping"), pointer, { ...given, names: anywhere });
  }
  yield* checkMapping(ownMember(source, "output_mapping"), "/output_mapping", { ...given, names: atEnd });
}

/** Finds agent steps whose `approved_by` names no step that approves their call, and only that one call. */
function checkApprovedCalls({ sound }: SoundSteps, { ofStep }: Visibility): ParamProblem[] {
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
