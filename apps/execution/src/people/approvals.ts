import { hash } from "node:crypto";
import type { InputDeciders, ParamProblem } from "@crosszone/contracts";
import { duration } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { z } from "zod";
import { type NewInput, votersProblem } from "./input-record.ts";

const ids = z.array(z.string().min(1).max(64)).max(20);
const votes = z.int().min(1).max(20);

const decide = z.strictObject({
  people: ids.default([]),
  groups: ids.default([]),
  requester: z.boolean().default(false),
  approve: votes.default(1),
  deny: votes.default(1),
});

/** The requester decides what the own question does. */
const byRequester: InputDeciders = { people: [], groups: [], requester: true, approve: 1, deny: 1 };

const settings = {
  approval: z.enum(["none", "side_effects", "always"]).default("side_effects"),
  decide: decide.default(byRequester),
  expires_in: duration({ min: 1_000 }).prefault("24h"),
  execute_within: duration({ min: 1_000 }).prefault("1h"),
  remind_every: duration({ min: 60_000 }).optional(),
  escalate: ids.optional(),
  visibility: z.enum(["thread", "private"]).default("thread"),
};

const pattern = z.string().min(1).max(255).optional();
const rule = z.strictObject({ agent: pattern, tool: pattern, channel: pattern, ...settings });

/** The content of APPROVALS_FILE. Unknown members are rejected, because they are likely typos. */
const file = z.strictObject({ default: z.strictObject(settings).prefault({}), rules: z.array(rule).default([]) });

export type ApprovalPolicy = z.output<typeof file>;

/** Without a file, the requester approves calls with side effects. */
export const defaultPolicy: ApprovalPolicy = file.parse({});

/** Reads a policy. Returns its problems with JSON pointers, if it has any. */
export function readPolicy(value: unknown): { policy: ApprovalPolicy } | { problems: ParamProblem[] } {
  const read = file.safeParse(value ?? {});
  if (!read.success)
    return { problems: read.error.issues.map(({ path, message }) => ({ pointer: pointerOf(path), message })) };
  const { default: usual, rules } = read.data;
  const places = [["default", usual] as const, ...rules.map((one, index) => [`rules/${index}`, one] as const)];
  const problems = places.flatMap(([place, one]) => {
    const asked = { kind: "approve", decide: one.decide, requester: "the requester" } as const;
    const wrong = one.approval === "none" ? undefined : votersProblem(asked);
    return wrong === undefined ? [] : [{ pointer: `/${place}/decide`, message: wrong }];
  });
  return problems.length > 0 ? { problems } : { policy: read.data };
}

const pointerOf = (path: readonly PropertyKey[]): string => path.map((part) => `/${String(part)}`).join("");

export type ApprovalTerms = Pick<
  NewInput,
  "decide" | "visibility" | "escalate" | "expiresInMs" | "executeWithinMs" | "remindEveryMs" | "policy"
>;

/** Returns whether a call needs an approval, and who decides it. */
export type ApprovalFor = (query: {
  readonly agent: string;
  /** The tool, agent or workflow that is called; absent when the agent asks something else. */
  readonly tool?: string | undefined;
  readonly channel?: string | undefined;
  /** Whether the call changes anything outside Crosszone. */
  readonly sideEffects: boolean;
}) => { readonly needed: boolean; readonly terms: ApprovalTerms };

/** Applies the policy in force: its first rule that matches, else its default. */
export const createApprovalFor =
  (current: () => ApprovalPolicy): ApprovalFor =>
  (query) => {
    const { default: usual, rules } = current();
    const {
      agent: _agent,
      tool: _tool,
      channel: _channel,
      ...found
    }: ApprovalPolicy["default"] & Partial<z.output<typeof rule>> = rules.find((one) => matches(one, query)) ?? usual;
    const { approval, decide: deciders, visibility, escalate } = found;
    return {
      needed: approval === "always" || (approval === "side_effects" && query.sideEffects),
      terms: {
        decide: deciders,
        visibility,
        escalate,
        expiresInMs: found.expires_in,
        executeWithinMs: found.execute_within,
        remindEveryMs: found.remind_every,
        policy: hash("sha256", canonicalJson(found)),
      },
    };
  };

const matches = (one: z.output<typeof rule>, query: Parameters<ApprovalFor>[0]): boolean =>
  (["agent", "tool", "channel"] as const).every((name) => fits(one[name], query[name]));

/** A pattern is a name, or its beginning and `*`. */
function fits(of: string | undefined, name: string | undefined): boolean {
  if (of === undefined) return true;
  return of.endsWith("*") ? name?.startsWith(of.slice(0, -1)) === true : name === of;
}
