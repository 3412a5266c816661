import { isWorkflowDefinition, type ParamProblem } from "@crosszone/contracts";
import { createExpressions } from "../expressions.ts";
import { toPointer } from "../pointers.ts";
import { checkLinks } from "./check-links.ts";
import { checkMapping, checkReferences } from "./check-references.ts";
import { checkSteps } from "./check-steps.ts";
import { readInputSchema } from "./input-schema.ts";
import { shapeProblems } from "./shape-problems.ts";
import { isObject, ownMember, soundSteps, type SoundSteps } from "./sound-steps.ts";
import { linksOf } from "./step-links.ts";
import { visibilityOf, type Visibility } from "./visible-names.ts";
import { withStepTypes } from "./with-step-types.ts";
import type { Workflow } from "./workflow.ts";

export interface ReadWorkflowOptions {
  /** Names of the agents there are; unchecked without, as for a run that has begun. */
  readonly agents?: Iterable<string>;
}

/** Either a workflow, or everything that is wrong with it. */
export type ReadWorkflow =
  | { readonly workflow: Workflow; readonly problems: readonly [] }
  | { readonly workflow?: undefined; readonly problems: readonly ParamProblem[] };

/** What is larger than these is nobody's writing, and would take long to look through and to tell of. */
const maxSteps = 500;
const maxIdLength = 64;
/** Each step has one place, so few more links than steps make sense. */
const maxLinks = 2000;

/** What is within more steps than these would get a path too long to be kept. */
const maxDepth = 12;

/** More say nothing new, and a hostile body could cause hundreds of thousands. */
const maxProblems = 200;

/**
 * Reads a definition, of today or a linked plan of old whose steps have no type. All that is wrong with it is told at once (the
 * first 200), each problem at a JSON pointer (RFC 6901). Never throws, whatever the source is.
 */
export function readWorkflow(source: unknown, { agents }: ReadWorkflowOptions = {}): ReadWorkflow {
  const typed = withStepTypes(source);
  const steps = soundSteps(typed);
  const tooLarge = tooLargeBy(steps);
  if (tooLarge) return { problems: [{ pointer: "/steps", message: tooLarge }] };

  const start = ownMember(typed, "start_step");
  const inputSchema = ownMember(typed, "input_schema");
  const input = isObject(inputSchema) ? readInputSchema(inputSchema) : undefined;
  const problems = [
    ...shapeProblems(typed),
    ...checkLinks(steps, start),
    ...checkSteps(steps, agents && new Set(agents)),
    ...unresolvable(typed, steps, visibilityOf(steps, start)),
    ...(input?.problems ?? []).map(({ pointer, message }) => ({ pointer: `/input_schema${pointer}`, message })),
  ];
  if (problems.length > 0 || !isWorkflowDefinition(typed)) return { problems: problems.slice(0, maxProblems) };
  const checkInput = input?.check ?? ((): readonly ParamProblem[] => []);
  return { workflow: { definition: typed, expressions: createExpressions(), checkInput }, problems: [] };
}

/** What is wrong with a definition, all of it at once; empty when nothing is. Never throws. */
export function validateWorkflow(source: unknown, options: ReadWorkflowOptions = {}): readonly ParamProblem[] {
  return readWorkflow(source, options).problems;
}

function tooLargeBy({ ids, sound }: SoundSteps): string | undefined {
  if (ids.size > maxSteps) return `has more than ${maxSteps} steps; make it several workflows`;
  if ([...ids].some((id) => id.length > maxIdLength)) return `has an id of more than ${maxIdLength} characters`;
  const links = [...sound.values()].flatMap(linksOf).reduce((sum, link) => sum + link.ids.length, 0);
  return links > maxLinks ? `has more than ${maxLinks} links from step to step; a step has one place` : undefined;
}

function unresolvable(source: unknown, { ids, sound }: SoundSteps, visibility: Visibility): ParamProblem[] {
  const { anywhere, atEnd, ofStep } = visibility;
  const inputSchema = ownMember(source, "input_schema");
  const inSteps = [...sound].flatMap(([id, step]) => {
    const names = ofStep.get(id);
    if (!names) return [];
    const tooDeep = { pointer: toPointer(["steps", id]), message: `stands within more than ${maxDepth} other steps` };
    return [...(names.depth > maxDepth ? [tooDeep] : []), ...checkReferences(id, step, { ids, inputSchema, names })];
  });
  const steps = ownMember(source, "steps");
  const inOthers = [...ids].flatMap((id) => {
    if (sound.has(id)) return [];
    const pointer = toPointer(["steps", id, "input_mapping"]);
    return checkMapping(ownMember(ownMember(steps, id), "input_mapping"), pointer, {
      ids,
      inputSchema,
      names: anywhere,
    });
  });
  const mapping = ownMember(source, "output_mapping");
  return [...inSteps, ...inOthers, ...checkMapping(mapping, "/output_mapping", { ids, inputSchema, names: atEnd })];
}
