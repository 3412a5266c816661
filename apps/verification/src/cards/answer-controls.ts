import { type InputSchema, ZoneError } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { memberForWords } from "@crosszone/service-kit/json";
import type { ActionsBlock, ActionsBlockElement, ContextActionsBlock, KnownBlock } from "@slack/web-api";
import type { Question } from "../inbox/records.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { NoSuchAgentError } from "../showing/agents-list.ts";
import { literalMarkdown, oneLine, plain } from "../showing/markdown/neutralise.ts";
import { longestLabel } from "./input-modals.ts";
import { badRating, button, handleText, workflowForm } from "./presses.ts";

/** Options in the menu of other agents, and the characters of an option's value. */
const mostAgents = 25;
const longestValue = 150;

/** Waits for the names of other agents, milliseconds. A failed answer goes without them after that. */
const listTimeoutMs = 1_500;

const actions = (elements: readonly ActionsBlockElement[]): ActionsBlock => ({
  type: "actions",
  elements: [...elements],
});

/** Returns what is below an agent's answer: its prompts, and thumbs. A workflow and an unnamed agent can't be asked on, so they have no prompts. */
export function answerControls(
  reference: string,
  offered_by: string | undefined,
  prompts: readonly string[] = [],
): readonly KnownBlock[] {
  const offered = offered_by === undefined ? [] : prompts.map((text) => ({ offered_by, text }));
  const handle = { verb: "prompt", id: reference } as const;
  const buttons = offered.map((one, nth) => button(one.text, handle, { value: JSON.stringify(one), nth }));
  const rating: ContextActionsBlock = {
    type: "context_actions",
    elements: [
      {
        type: "feedback_buttons",
        action_id: handleText({ verb: "rate", id: reference }),
        positive_button: { text: plain("👍", longestLabel), value: "good", accessibility_label: "Good answer" },
        negative_button: { text: plain("👎", longestLabel), value: badRating, accessibility_label: "Bad answer" },
      },
    ],
  };
  return buttons.length > 0 ? [actions(buttons), rating] : [rating];
}

/**
 * Resolves with what is below a failed answer: a button to ask again, or one for each name that a mistyped one can mean, and a menu of other
 * agents if execution lists them in time.
 */
export async function failedControls(
  { correlation_id: reference, ts }: Question,
  error: unknown,
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<readonly KnownBlock[]> {
  // A zone that could not be reached is not asked for more.
  const isReached = error instanceof ZoneError;
  const listed =
    isReached && (await link.call("list_agents", {}, { ...call, timeoutMs: listTimeoutMs }).catch(() => undefined));
  const failed = isReached ? error.data.agent : undefined;
  const options = (listed ? listed.agents : [])
    .filter(({ name, kind }) => kind !== "workflow" && name !== failed)
    .map(({ name }) => ({ text: plain(name, longestLabel), value: `${ts} ${name}` }))
    .filter(({ value }) => value.length <= longestValue)
    .slice(0, mostAgents);
  const menu = {
    type: "static_select" as const,
    action_id: handleText({ verb: "other", id: reference }),
    placeholder: plain("Ask another agent", longestLabel),
    options,
  };
  const meant = (error instanceof NoSuchAgentError ? error.near : [])
    .map(({ name }, nth) => ({ nth, value: `${ts} ${name}`, label: `Try again with ${name}` }))
    .filter(({ value }) => value.length <= longestValue)
    .map(({ label, ...more }) => button(label, { verb: "other", id: reference }, more));
  const again = meant.length > 0 ? meant : [button("Try again", { verb: "again", id: reference }, { value: ts })];
  return [actions(options.length > 0 ? [...again, menu] : again)];
}

/** Characters of a workflow's id and the words after it in the value of a button, which a modal keeps as JSON. */
const mostWords = 1_000;

/** Time to list the workflows, milliseconds. After it, a run starts as it is. */
const formTimeoutMs = 3_000;

/**
 * Resolves with what a run asks for whose text lacks required members that fit a form, and the button for it; undefined if it can start, or if
 * execution explains what is wrong: with text that should be JSON, or with an input that does not fit a form.
 */
export async function missingInput(
  { agent: workflow, text }: { readonly agent: string; readonly text: string },
  reference: string,
  { link, call }: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<{ readonly text: string; readonly controls: readonly KnownBlock[] } | undefined> {
  const listing = workflowForm(workflow, { link, call: { ...call, timeoutMs: formTimeoutMs } });
  const schema = await listing.catch(() => undefined);
  const missing = schema === undefined ? [] : missingMembers(text, schema);
  if (missing.length === 0) return undefined;
  const titles = missing.map((name) => schema?.properties?.[name]?.title ?? name);
  const names = titles.map((title) => `**${literalMarkdown(oneLine(title, 80))}**`).join(", ");
  // The form begins with the words.
  const value = [workflow, text].join("\n");
  const form = button(
    "Fill in the form",
    { verb: "form", id: reference },
    { value: value.length <= mostWords ? value : workflow },
  );
  return { text: `The workflow \`${workflow}\` needs ${names}.`, controls: [actions([form])] };
}

/** Returns the required members that the text of a run lacks; none if it should be JSON and is not. */
function missingMembers(text: string, schema: InputSchema): readonly string[] {
  const json = text.trim();
  let input: object = json === "" ? {} : { [memberForWords(schema)]: text };
  try {
    if (json.startsWith("{")) input = JSON.parse(json) as object;
  } catch {
    return [];
  }
  return (schema.required ?? []).filter((name) => !Object.hasOwn(input, name));
}
