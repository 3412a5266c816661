import type { inputKind } from "@crosszone/agent-calls";
import type { HumanStep, RunProblem } from "@crosszone/contracts";
import { asText } from "../mapping/template.ts";
import type { StepFinding, LeafKind } from "./step-kind.ts";

/** What a step asks of people, with its templates resolved. */
export interface StepAsk extends Pick<
  HumanStep,
  "body" | "options" | "schema" | "decide" | "visibility" | "expires_in_ms"
> {
  readonly kind: HumanStep["input"];
  readonly title: string;
  /** `arguments`: any JSON. */
  readonly action?: ApprovedCall;
}

/** The output of a step: how people decided. */
export interface StepDecision {
  /** `not_asked`: nobody can decide, or the request would be invalid; `reason` says why. */
  readonly verdict: "approve" | "answer" | "deny" | "expired" | "withdrawn" | "not_asked";
  /** The option's value, or the text. */
  readonly value?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  /** The people whose votes decided. */
  readonly by: readonly string[];
  readonly request_id: string;
  /** The approved call, and when its approval becomes void, ISO 8601. */
  readonly action?: ApprovedCall;
  readonly execute_until?: string;
}

/** `arguments`: any JSON. */
interface ApprovedCall {
  readonly tool: string;
  readonly arguments?: unknown;
}

/** Maximum length of a request's title, characters. */
const mostTitle = 150;

/** Waits until people decide. */
export const human: LeafKind<"human"> = {
  form: "leaf",
  pausesDeadline: true,
  takes: "waits",
  job: "input" satisfies typeof inputKind,
  check: (step) => [...checkShape(step), ...checkDeciders(step)],
  expressions: ({ prompt, body, action }) => [
    { kind: "mapping", value: prompt, keys: ["prompt"] },
    { kind: "mapping", value: body, keys: ["body"] },
    { kind: "mapping", value: action?.arguments, keys: ["action", "arguments"] },
  ],
  outputMembers: [
    "verdict",
    "value",
    "values",
    "reason",
    "by",
    "request_id",
    "action",
    "execute_until",
  ] satisfies (keyof StepDecision)[],
  start: (step, { resolve }) => {
    const { input: kind, prompt, body, action, options, schema, decide, visibility, expires_in_ms } = step;
    const asked = asText(resolve(prompt));
    const title = asked.length > mostTitle ? `${asked.slice(0, mostTitle - 1)}…` : asked;
    const ask: StepAsk = {
      kind,
      title,
      body: body === undefined ? undefined : asText(resolve(body)),
      action: action && { tool: action.tool, arguments: resolve(action.arguments) ?? null },
      options,
      schema,
      decide,
      visibility,
      expires_in_ms,
    };
    return { call: { input: ask } };
  },
  // The request expires by itself; the step has no timer.
  whenDue: ({ id, title = id }) => ({ state: "failed", error: problemOf("expired", title) }),
  refusal: ({ id, title = id, on_denied }, output) => {
    const { verdict, reason } = output as StepDecision;
    if (verdict === "approve" || verdict === "answer") return undefined;
    return on_denied === "continue" && verdict !== "not_asked" ? undefined : problemOf(verdict, title, reason);
  },
  output: (_, { record }) => record.output ?? null,
};

const whatHappened = {
  deny: "was denied",
  expired: "was not answered in time",
  withdrawn: "was withdrawn",
  not_asked: "could not be asked",
};

function problemOf(verdict: keyof typeof whatHappened, title: string, reason?: string): RunProblem {
  const why = reason === undefined ? "." : `: ${reason}`;
  const kind = verdict === "withdrawn" ? "input_withdrawn" : "input_denied";
  return { kind, message: `The step "${title}" ${whatHappened[verdict]}${why}` };
}

/** The member that a kind of input needs, which no other kind can have. */
const ownMembers = [
  ["options", "choose", true],
  ["schema", "form", true],
  ["action", "approve", false],
] as const;

function checkShape({ input, options = [], schema, ...step }: HumanStep): readonly StepFinding[] {
  const given = { ...step, schema, options: options.length > 0 ? options : undefined };
  const values = options.map(({ value }) => value);
  const twice = values.find((value, index) => values.indexOf(value) < index);
  const unknown = schema?.required?.find((name) => !Object.hasOwn(schema.properties, name));
  const findings = ownMembers.flatMap(([member, kind, isRequired]): StepFinding[] => {
    if (given[member] !== undefined && input !== kind) return [[[member], `fits only the input ${kind}`]];
    const isMissing = given[member] === undefined && input === kind && isRequired;
    return isMissing ? [[[member], `is missing; the input ${kind} needs it`]] : [];
  });
  if (twice !== undefined) findings.push([["options"], `has the value ${twice} twice`]);
  if (unknown !== undefined) findings.push([["schema", "required"], `names an unknown field: ${unknown}`]);
  return findings;
}

function checkDeciders({ decide }: HumanStep): readonly StepFinding[] {
  if (decide === undefined) return [];
  const { people = [], groups = [], requester = false } = decide;
  const known = new Set(people).size + Number(requester);
  if (known + groups.length === 0)
    return [[["decide"], "names no approver; set people or groups, or requester to true"]];
  if (groups.length > 0) return [];
  return (["approve", "deny"] as const).flatMap((verdict): StepFinding[] => {
    const needed = decide[verdict] ?? 1;
    return needed <= known ? [] : [[["decide", verdict], `needs ${needed} votes, but only ${known} can decide`]];
  });
}
