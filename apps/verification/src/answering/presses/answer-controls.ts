import { ZoneError, type ZoneMethods } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import type { ActionsBlock, ActionsBlockElement, ContextActionsBlock, KnownBlock } from "@slack/web-api";
import type { Question } from "../../inbox/records.ts";
import { plain } from "../markdown/neutralise.ts";
import { button, handleText, longestLabel, type OfferedText } from "./handles.ts";

/** The value of the button for a bad answer. */
export const badRating = "bad";

/** Options in the menu of other agents, and the characters of an option's value. */
const mostAgents = 25;
const longestValue = 150;

/** Waits for the names of other agents, milliseconds. A failed answer goes without them after that. */
const timeoutMs = 1_500;

const actions = (elements: readonly ActionsBlockElement[]): ActionsBlock => ({
  type: "actions",
  elements: [...elements],
});

/** Returns what is below an agent's answer: its prompts, and thumbs. A workflow and an unnamed agent can't be asked on, so they have no prompts. */
export function answerControls(
  reference: string,
  { agent: offered_by, prompts = [] }: { readonly agent?: string; readonly prompts?: readonly string[] },
): readonly KnownBlock[] {
  const offered = offered_by === undefined ? [] : prompts.map((text): OfferedText => ({ offered_by, text }));
  const handle = { of: "answer", verb: "prompt", id: reference } as const;
  const buttons = offered.map((one, nth) => button(one.text, handle, { value: JSON.stringify(one), nth }));
  const rating: ContextActionsBlock = {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: handleText({ of: "answer", verb: "rate", id: reference }),
        positive_button: { text: plain("👍", longestLabel), value: "good", accessibility_label: "Good answer" },
        negative_button: { text: plain("👎", longestLabel), value: badRating, accessibility_label: "Bad answer" },
      },
    ],
  };
  return [...(buttons.length > 0 ? [actions(buttons)] : []), rating];
}

/** Returns the button for a workflow's form. */
export function formControls(reference: string, workflow: string): readonly KnownBlock[] {
  return [actions([button("Fill in the form", { of: "answer", verb: "form", id: reference }, { value: workflow })])];
}

/** Resolves with what is below a failed answer: a button to ask again, and a menu of other agents if execution lists them in time. */
export async function failedControls(
  { correlation_id: reference, ts }: Question,
  error: unknown,
  { zone, call }: { readonly zone: Client<ZoneMethods>; readonly call: CallOptions },
): Promise<readonly KnownBlock[]> {
  // A zone that could not be reached is not asked for more.
  const isReached = error instanceof ZoneError;
  const listed = isReached && (await zone.call("list_agents", {}, { ...call, timeoutMs }).catch(() => undefined));
  const failed = isReached ? error.data.agent : undefined;
  const options = (listed ? listed.agents : [])
    .filter(({ name, kind }) => kind !== "workflow" && name !== failed)
    .map(({ name }) => ({ text: plain(name, longestLabel), value: `${ts} ${name}` }))
    .filter(({ value }) => value.length <= longestValue)
    .slice(0, mostAgents);
  const menu = {
    type: "static_select" as const,
    action_id: handleText({ of: "answer", verb: "other", id: reference }),
    placeholder: plain("Ask another agent", longestLabel),
    options,
  };
  const again = button("Try again", { of: "answer", verb: "again", id: reference }, { value: ts });
  return [actions(options.length > 0 ? [again, menu] : [again])];
}
