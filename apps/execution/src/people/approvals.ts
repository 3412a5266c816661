import { hash } from "node:crypto";
import {
  type ApprovalRule,
  type ApprovalSettings,
  type ApprovalsSection,
  isApprovalSettings,
  isApprovalsSection,
} from "@crosszone/contracts";
import { durationMs, durationProblem } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { type SectionJudge, settingsRow } from "@crosszone/service-kit/settings";
import { type NewInput, votersProblem } from "./input-record.ts";

/** The terms of calls, times in milliseconds. */
type Terms<Of extends ApprovalSettings> = Omit<Of, Span> & { readonly [Name in Span]?: number } & {
  readonly expires_in: number;
  readonly execute_within: number;
};
type Span = "expires_in" | "execute_within" | "remind_every";

/** Which calls need an approval, and who decides. */
export interface ApprovalPolicy {
  readonly default: Terms<ApprovalSettings>;
  readonly rules: readonly Terms<ApprovalRule>[];
}

/** The section of the settings. Without it, the requester approves calls with side effects. */
export const approvalsRow = settingsRow({ schema: isApprovalsSection, absent: {}, check: readPolicy });

/** Returns the policy of a section; refuses what no one could decide. */
function readPolicy({ default: usual, rules }: ApprovalsSection, { refuse }: SectionJudge): ApprovalPolicy {
  const places = [["/default", usual] as const, ...rules.map((one, index) => [`/rules/${index}`, one] as const)];
  for (const [place, { approval, decide, ...one }] of places) {
    const wrong =
      approval === "none" ? undefined : votersProblem({ kind: "approve", decide, requester: "the requester" });
    if (wrong !== undefined) refuse({ pointer: `${place}/decide`, message: wrong });
    for (const [name, min] of Object.entries(leastSpans)) {
      const message = durationProblem(one[name as Span] ?? "1d", { min });
      if (message !== undefined) refuse({ pointer: `${place}/${name}`, message });
    }
  }
  return { default: termsOf(usual), rules: rules.map(termsOf) };
}

/** Without the section, the requester approves calls with side effects. */
export const usualApprovals: ApprovalPolicy = { default: termsOf(isApprovalSettings.filled({})), rules: [] };

const leastSpans: Readonly<Record<Span, number>> = { expires_in: 1_000, execute_within: 1_000, remind_every: 60_000 };

function termsOf<Of extends ApprovalSettings>({ expires_in, execute_within, remind_every, ...others }: Of) {
  return {
    ...others,
    expires_in: durationMs(expires_in),
    execute_within: durationMs(execute_within),
    ...(remind_every !== undefined && { remind_every: durationMs(remind_every) }),
  };
}

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
    }: Partial<ApprovalPolicy["rules"][number]> & ApprovalPolicy["default"] = rules.find((one) =>
      matches(one, query),
    ) ?? usual;
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

const matches = (one: ApprovalPolicy["rules"][number], query: Parameters<ApprovalFor>[0]): boolean =>
  (["agent", "tool", "channel"] as const).every((name) => fits(one[name], query[name]));

/** A pattern is a name, or its beginning and `*`. */
function fits(of: string | undefined, name: string | undefined): boolean {
  if (of === undefined) return true;
  return of.endsWith("*") ? name?.startsWith(of.slice(0, -1)) === true : name === of;
}
