import type { ParamProblem, WorkflowStep } from "@crosszone/contracts";
import { nearName } from "@crosszone/service-kit/text";
import { type Condition, readCondition } from "../expressions/condition.ts";
import { isMemberName } from "../expressions/expression-text.ts";
import { type Reference, toPointer, pathText } from "../mapping/reference.ts";
import { readTemplate } from "../mapping/template.ts";
import type { StepExpression } from "../steps/step-kind.ts";
import { agentOf, expressionsOf, insideOf, stepKindOf, outputMembersOf, repeatOf } from "../steps/step-kinds.ts";
import { rulesOut } from "./input-schema.ts";
import { isIndexed, joiningSteps, linksOf, listedSteps, type SoundSteps, type VisibleNames } from "./sound-steps.ts";

/** A problem, or a warning: the definition is valid, but probably not what its author means. */
interface MemberFinding {
  readonly message: string;
  readonly isWarning?: boolean;
}

export type MemberProblem = ParamProblem & MemberFinding;

/** What agents over A2A return. Agents of another protocol can return other members. */
const answerMembers = ["text", "artifacts", "response", "message", "metadata", "context_id"];

/** Names that a problem lists: the first ones. Thousands of problems can list the same. */
const listOf = (names: Iterable<string>): string => Iterator.from(names).take(20).toArray().join(", ");

type Ends = ReadonlyMap<string, string | undefined>;

/** The results of `endsOf`, cached because thousands of references can read one output. */
const knownEnds = new WeakMap<WorkflowStep, { readonly ends: Ends | undefined }>();

/** Returns the members of a composite step's output, each with the inner step that it comes from; undefined for one of several chains. */
function endsOf(step: WorkflowStep): Ends | undefined {
  const inside = insideOf(step);
  if (inside.some(({ kind }) => kind === "chain")) return undefined;
  return new Map(
    inside.flatMap(({ kind, ids, label = "" }) =>
      kind === "set" ? ids.map((one) => [one, one] as const) : [[label, ids.at(-1)] as const],
    ),
  );
}

/** Returns what is wrong with the members in a reference to a step's output, as far as the definition tells. */
function checkMembers({ path }: Reference, sound: SoundSteps["sound"]): MemberFinding | undefined {
  let at = path.indexOf("output") + 1;
  for (let id: string | undefined = String(path[at - 2]); at > 1 && at < path.length; at += 1) {
    const step = sound.get(id ?? "");
    const name = String(path[at]);
    const lacks = `\`${pathText(path.slice(0, at))}\` has no field \`${name}\``;
    if (step === undefined) return undefined;
    if (agentOf(step) !== undefined) {
      const near = answerMembers.includes(name) ? undefined : nearName(name, answerMembers);
      return near === undefined
        ? undefined
        : { message: `${lacks} over A2A; did you mean \`${near}\`?`, isWarning: true };
    }
    const known = outputMembersOf(step);
    if (known?.includes(name)) return undefined;
    if (known !== undefined) return { message: `${lacks}; it has: ${known.join(", ")}` };
    if (stepKindOf(step).form === "leaf") return undefined;
    // Which branch of a conditional runs is not known.
    const { ends } = knownEnds.getOrInsertComputed(step, () => ({ ends: endsOf(step) }));
    if (ends === undefined) return undefined;
    const isLoop = repeatOf(step) !== undefined;
    if (isLoop && !/^\d+$/.test(name)) return { message: `${lacks}; it is a list, such as [0]` };
    if (!isLoop && !ends.has(name)) return { message: `${lacks}; it has: ${listOf(ends.keys())}` };
    id = ends.get(isLoop ? "" : name);
  }
  return undefined;
}

/** What the references of one mapping or condition are checked against. */
interface ReferenceContext extends SoundSteps {
  readonly inputSchema: unknown;
  readonly names: VisibleNames;
}

/**
 * Yields the problems of a step's references: syntax errors, and values that can't be available when the step runs. A problem is found when
 * it is asked for: a definition can have thousands, and few are reported.
 */
export function* checkReferences(id: string, step: WorkflowStep, context: ReferenceContext): Generator<MemberProblem> {
  for (const { kind, value, keys } of expressionsOf(step))
    yield* checks[kind](value, toPointer(["steps", id, ...keys]), context);
}

const checks: Readonly<Record<StepExpression["kind"], typeof checkMapping>> = {
  mapping: checkMapping,
  condition: (expression, pointer, context) => checkCondition(String(expression), pointer, context),
  collection: checkCollection,
};

/** Yields the problems of one mapping. Their pointers start with `pointer`. */
export function checkMapping(mapping: unknown, pointer: string, context: ReferenceContext): Generator<MemberProblem> {
  return problemsOfRead(readTemplate(mapping), pointer, context);
}

function* checkCollection(collection: unknown, pointer: string, context: ReferenceContext): Generator<MemberProblem> {
  const read = readTemplate(collection);
  let isSound = true;
  for (const problem of problemsOfRead(read, pointer, context)) {
    isSound &&= problem.isWarning === true;
    yield problem;
  }
  const { kind } = read.template;
  if (kind !== "reference" && kind !== "array" && isSound)
    yield { pointer, message: "must be one reference, such as ${workflow.input.topics}, or an array" };
}

function* problemsOfRead(
  { references, problems, warnings }: ReturnType<typeof readTemplate>,
  pointer: string,
  context: ReferenceContext,
): Generator<MemberProblem> {
  for (const one of problems) yield { ...one, pointer: pointer + one.pointer };
  for (const { pointer: within, reference } of references) {
    const message = referenceProblem(reference, context);
    const finding = message === undefined ? checkMembers(reference, context.sound) : { message };
    if (finding) yield { ...finding, pointer: pointer + within };
  }
  for (const one of warnings) yield { ...one, pointer: pointer + one.pointer, isWarning: true };
}

function* checkCondition(expression: string, pointer: string, context: ReferenceContext): Generator<MemberProblem> {
  const { condition, problems } = readCondition(expression, context.names.variables);
  const messages = condition ? conditionProblems(condition, context) : (problems ?? []);
  const hint = messages.length > 0 ? bracketHint(expression, context.ids) : "";
  for (const message of messages) yield { pointer, message: message + hint };
}

/**
 * Returns a hint if the expression uses a step id that CEL does not accept after a dot: it contains a `-`, begins with a digit, or is a
 * reserved word.
 */
function bracketHint(expression: string, ids: ReadonlySet<string>): string {
  const meant = [...ids].filter((id) => !isMemberName(id) && expression.includes(`steps.${id}`));
  return meant.map((id) => `; write steps["${id}"].output instead of steps.${id}.output`).join("");
}

/** CEL's `has()` can check whether a step has run, so a step that may not have run is allowed here. */
function conditionProblems({ references, steps }: Condition, context: ReferenceContext): string[] {
  const fallback = { value: null };
  const ofReferences = references.map((reference) => referenceProblem({ ...reference, fallback }, context));
  const checked = new Set(references.map(({ path: [head, second] }) => (head === "steps" ? second : head)));
  const ofSteps = [...steps]
    .filter((id) => !checked.has(id))
    .map((id) =>
      context.ids.has(id)
        ? orderProblem(id, { text: `steps.${id}`, path: [], fallback }, context.names)
        : `steps.${id} names an unknown step`,
    );
  return [...new Set([...ofReferences, ...ofSteps].filter((problem) => problem !== undefined))];
}

/** Returns why a reference can never have a value, or undefined. */
function referenceProblem(reference: Reference, context: ReferenceContext): string | undefined {
  const { text, path } = reference;
  const [head, second, third] = path;
  if (head === "workflow") return inputProblem(reference, context.inputSchema);
  if (context.names.variables.has(String(head))) return undefined;
  if (head === "item" || head === "index") return `${text} is available only in the body of a loop`;
  const [id, member] = head === "steps" ? [second, third] : [head, second];
  if (typeof id !== "string" || !context.ids.has(id)) return `${text} names an unknown step; ${meantOr(id, context)}`;
  if (member !== "output") return `${text} lacks the word output: \${${id}.output}`;
  return orderProblem(id, reference, context.names);
}

function inputProblem({ text, path, fallback }: Reference, schema: unknown): string | undefined {
  if (path[1] !== "input") return `${text} is unknown: workflow has only an input, \${workflow.input}`;
  return !fallback && rulesOut(schema, path.slice(2))
    ? `${text} is not a member of the input according to input_schema`
    : undefined;
}

function meantOr(id: unknown, { ids, names }: ReferenceContext): string {
  const near = nearName(id, ids);
  return near ? `did you mean ${near}?` : `available: ${listOf([...names.variables, ...ids])}`;
}

/** Returns a problem if the referenced step may not have ended before this one. */
function orderProblem(
  id: string,
  { text, fallback }: Reference,
  { certain, possible }: VisibleNames,
): string | undefined {
  if (certain.has(id)) return undefined;
  if (!possible.has(id)) return `${text} is not available: ${id} does not run before this step, or is out of its scope`;
  if (fallback) return undefined;
  return `${text} may be missing because ${id} does not always run: add a default, such as \${${id}.output ?? null}`;
}

interface Edge {
  readonly from?: string;
  readonly to: string;
  readonly pointer: string;
}

/** Yields links to unknown steps, cycles, steps with two owners, and unreachable steps. */
export function* checkLinks(steps: SoundSteps, startStep: unknown): Generator<ParamProblem> {
  const start: Edge[] = typeof startStep === "string" ? [{ to: startStep, pointer: "/start_step" }] : [];
  const listed = listedSteps(steps.sound);
  const joins = joiningSteps(steps.sound);
  const edges = [
    ...start,
    ...[...steps.sound].flatMap(([id, step]) => edgesOf(id, step, listed.has(id) || joins.has(id))),
  ];
  const known = edges.filter(({ to }) => steps.ids.has(to));
  const circles = circlesIn(known, steps.ids);
  yield* strayNexts(steps.sound, listed);
  for (const { to, pointer } of edges)
    if (steps.ids.size > 0 && !steps.ids.has(to)) yield unknownStep(to, pointer, steps.ids);
  for (const { edge, way } of circles)
    yield { pointer: edge.pointer, message: `is part of a cycle: ${wayOf(way)}; repeat steps with a loop` };
  yield* secondOwners(known, new Set(circles.map(({ edge }) => edge)));
  yield* unreachable(known, steps, start.length > 0 && known.length === edges.length);
}

/** Returns a way of steps; a long one without its middle. */
const wayOf = (ids: readonly string[]): string =>
  (ids.length > 20 ? [...ids.slice(0, 18), "…", ids.at(-1)] : ids).join(" → ");

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
  const known = near ? `did you mean ${near}?` : `the steps are ${listOf(ids)}`;
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

function secondOwners(edges: readonly Edge[], circles: ReadonlySet<Edge>): ParamProblem[] {
  const once = edges.filter((edge) => !circles.has(edge));
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
