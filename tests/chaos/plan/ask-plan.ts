import type { WorkflowDefinition } from "@crosszone/contracts";
import { askerOf, idOf } from "./message-plan.ts";

/** Who can decide a request: one of two people, two of a group, its requester, or one person who never does. */
export type AskRule = "one" | "two" | "own" | "none";

export interface PlannedPress {
  readonly person: number;
  readonly verb: "approve" | "deny";
  /** Milliseconds after the first press of this question. */
  readonly afterMs: number;
}

/** Who can decide about a question to the workflow that asks people, and who presses which button. */
export interface PlannedAsk {
  readonly rule: AskRule;
  /** Persons who can decide, and how many of them must approve. */
  readonly deciders: readonly number[];
  readonly quorum: number;
  readonly presses: readonly PlannedPress[];
}

export const groupId = "S0CHAOS0001";
/** Persons of the group. */
export const groupMembers = [0, 1, 2] as const;
/**
 * What deciders press, by rule: the person, the button, and when. Some press twice, some at the same time against each other, and some after the
 * decision.
 */
const courses: Readonly<Record<AskRule, readonly string[]>> = {
  one: [
    "1 deny 400",
    "1 approve 400, 2 deny 400",
    "1 approve 400, 1 approve 400",
    "2 approve 400, 1 deny 700",
    "2 approve 400, 1 approve 400",
  ],
  two: [
    "0 approve 400, 1 deny 900",
    "0 approve 400, 1 approve 400",
    "0 approve 400, 0 approve 450, 2 approve 1500",
    "2 approve 400, 1 approve 400, 0 deny 500",
    "1 approve 400, 2 approve 2000",
  ],
  own: ["asker deny 400", "asker approve 400", "asker approve 400, asker approve 400", "asker approve 400, 7 deny 900"],
  none: [""],
};

/** Presses before the decision: of who asked, of somebody who can decide nothing, and of who has a card like it in another thread. */
const strangers = ["", "asker approve 0", "7 approve 0", "neighbor approve 0"];

/** Returns what happens to the question with this number. `isLeft`: nobody who can decide it does. */
export function askOf(number: number, isLeft: boolean): PlannedAsk {
  const rule = isLeft ? "none" : ((["one", "two", "own"] as const)[number % 3] ?? "one");
  const asker = askerOf(number);
  const course = courses[rule][Math.floor(number / 3) % courses[rule].length];
  const planned = [strangers[number % 4], course].filter(Boolean).join(", ").split(", ");
  const presses = planned.filter(Boolean).map((text): PlannedPress => {
    const [person, verb, afterMs] = text.split(" ");
    const named: Readonly<Record<string, number>> = { asker, neighbor: askerOf(number + 1) };
    return {
      person: named[person ?? ""] ?? Number(person),
      verb: verb as PlannedPress["verb"],
      afterMs: Number(afterMs),
    };
  });
  return { rule, ...deciders(rule, asker), presses };
}

function deciders(rule: AskRule, asker: number): Pick<PlannedAsk, "deciders" | "quorum"> {
  if (rule === "two") return { deciders: groupMembers, quorum: 2 };
  if (rule === "own") return { deciders: [asker], quorum: 1 };
  return { deciders: rule === "one" ? [1, 2] : [1], quorum: 1 };
}

export const askWorkflow = (rule: AskRule): string => `ask-${rule}`;

/** Returns a workflow for each rule: people decide, and then an agent acts. `leftMs`: when what nobody decides expires, milliseconds. */
export function askWorkflows(leftMs: number): readonly WorkflowDefinition[] {
  const people = (...numbers: number[]): string[] => numbers.map((number) => idOf("U", number));
  const text = "${workflow.input.text}";
  const decide = {
    one: { people: people(1, 2) },
    two: { groups: [groupId], approve: 2 },
    own: { requester: true },
    none: { people: people(1) },
  } as const satisfies Record<AskRule, object>;
  return (["one", "two", "own", "none"] as const).map((rule) => ({
    workflow_id: askWorkflow(rule),
    name: askWorkflow(rule),
    version: "1",
    start_step: "ask",
    steps: {
      ask: {
        id: "ask",
        type: "human",
        input: "approve",
        prompt: `Send ${text}?`,
        decide: decide[rule] as { people?: string[]; groups?: string[] },
        expires_in_ms: rule === "none" ? leftMs : longestMs,
        ...(rule === "two" && { action: { tool: "send", arguments: { text } } }),
        next_step: "act",
      },
      act: { id: "act", type: "agent", agent_name: "newer", input_mapping: { text } },
    },
    output_mapping: { text: "${act.output.text}" },
  }));
}

/** 30 days, the longest that a step can wait. */
const longestMs = 2_592_000_000;
