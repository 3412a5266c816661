import type { OpenView } from "../protocol/workspace.ts";
import type { DevSlackOptions } from "../server/dev-slack.ts";
import { callWebApi } from "./dev-slack-for-test.ts";
import { actions, interactionOf, type Json, postedForTest, text } from "./interactions-for-test.ts";

export const more: Json = { type: "button", action_id: "more", text: text("More") };

/** Returns an input block for a text of two characters or more. */
export const input = (block_id: string, rest: Json = {}): Json => ({
  type: "input",
  block_id,
  label: text("Why?"),
  element: { type: "plain_text_input", action_id: "typed", min_length: 2 },
  ...rest,
});

/** Returns a modal with an input and a button. */
export const modal = (rest: Json = {}): Json => ({
  type: "modal",
  callback_id: "decide",
  title: text("Decide"),
  submit: text("Send"),
  blocks: [input("reason"), { type: "actions", block_id: "buttons", elements: [more] }],
  ...rest,
});

/** The person who uses the modals. */
export const USER = "U0ALICE0001";

/** Starts a local Slack in which Alice uses modals. */
export async function modalsForTest(options: DevSlackOptions = {}) {
  let says: unknown;
  const { dev, place, requests } = await postedForTest([actions(more)], {
    ...options,
    answer: (response) => response.end(says === undefined ? "" : JSON.stringify(says)),
  });
  /** Returns the interactions that the app got. */
  const sent = (): Json[] => requests.map(interactionOf);
  /** Presses the button of the message, or of a modal; resolves with the trigger id. */
  const press = async (view_id?: string): Promise<string> => {
    await dev.control.act({ user: USER, ...(view_id === undefined ? place : { view_id }), action_id: "more" });
    return String(sent().at(-1)?.["trigger_id"]);
  };
  const top = (): OpenView => {
    const view = dev.control.views(USER).at(-1);
    if (!view) throw new Error("no view is open");
    return view;
  };
  return {
    dev,
    place,
    sent,
    press,
    open: async (view = modal()) => {
      const { ok, errors } = await callWebApi(dev, "views.open", { trigger_id: await press(), view });
      if (ok !== true) throw new Error(JSON.stringify(errors));
      return top();
    },
    push: async (view = modal()) => callWebApi(dev, "views.push", { trigger_id: await press(top().id), view }),
    top,
    type: (view_id: string, value: string, block_id = "reason") =>
      dev.control.act({ user: USER, view_id, action_id: "typed", block_id, value }),
    submit: (view_id: string) => dev.control.submitView({ user: USER, view_id }),
    /** Sets what the app answers to interactions. */
    says: (next: unknown) => {
      says = next;
    },
  };
}
