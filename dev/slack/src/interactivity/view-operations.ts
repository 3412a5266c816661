import { z } from "zod";
import type { EventPublisher } from "../events/event-dispatcher.ts";
import { ControlError } from "../protocol/control-api.ts";
import type { Interaction, ViewPlace } from "../protocol/interactivity.ts";
import type { OpenView, User } from "../protocol/workspace.ts";
import { elementsOf } from "../web-api/interactive-elements.ts";
import { SlackError } from "../web-api/slack-error.ts";
import { newView, pushView } from "../web-api/view-methods.ts";
import { inputState, toApiView, valueMember } from "../web-api/view-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { InteractionSender, Overrides } from "./send-interaction.ts";
import { openView } from "./surface.ts";

/** What people do with modals as a whole, and with the Home tab. */
export interface ViewOperations {
  /** Submits the top modal; resolves when the app has acknowledged it, or Slack has given up. `overrides` replace members of the payload. */
  submitView(view: ViewPlace, overrides?: Overrides): Promise<Interaction>;
  /** Closes it, and with `clear_on_close` all; the app gets `view_closed` for each that has `notify_on_close`. */
  closeView(view: ViewPlace): Promise<Interaction>;
  /** Returns the modals that the person has open, the lowest first. */
  views(user: string): OpenView[];
  /** Opens the app's Home tab as the person. See https://docs.slack.dev/reference/events/app_home_opened */
  openHome(person: { user: string }): void;
  /** Returns what the app has published for the person. */
  home(user: string): OpenView | undefined;
}

/** The parts of these operations. */
export interface ViewParts {
  readonly state: WorkspaceState;
  readonly send: InteractionSender;
  readonly events: EventPublisher;
  /** Throws a `ControlError` for an unknown person. */
  readonly person: (idOrName: string) => User;
}

export function createViewOperations({ state, send, events, person }: ViewParts): ViewOperations {
  return {
    submitView: async ({ user: userId, view_id }, overrides) => {
      const user = person(userId);
      const view = openView(state, user, view_id);
      checkInputs(view, state);
      const trigger_id = state.triggers.issue({ user: user.id, view_id });
      const payload = { trigger_id, view: toApiView(view, state), response_urls: [], ...overrides };
      const take = (said: unknown): Partial<Interaction> => takeAnswer(said, view, state);
      return send({ type: "view_submission", user, payload, on: view_id, take });
    },

    closeView: async ({ user: userId, view_id }) => {
      const user = person(userId);
      const top = openView(state, user, view_id);
      const isAll = top.definition["clear_on_close"] === true;
      const closed = isAll ? state.views.modals(user.id) : [top];
      state.views.close(user.id, isAll ? undefined : view_id);
      const told = closed.filter(({ definition }) => definition["notify_on_close"] === true);
      const sent = told.toReversed().map((view) => {
        const payload = { view: toApiView(view, state), is_cleared: isAll };
        return send({ type: "view_closed", user, payload, on: view.id });
      });
      const [first = { status: 0, ms: 0 }] = await Promise.all(sent);
      return first;
    },

    openHome: ({ user }) => {
      const { directory, views, clock } = state;
      if (directory.workspace.app.home_tab_disabled === true) throw new ControlError("no Home tab", 404);
      const { id } = person(user);
      const view = views.home(id);
      const opened = { user: id, channel: directory.directMessage(id).id, tab: "home", event_ts: clock.ts() };
      events.send({ type: "app_home_opened", ...opened, ...(view && { view: toApiView(view, state) }) });
    },

    home: (user) => state.views.home(person(user).id),

    views: (user) => state.views.modals(person(user).id),
  };
}

/** Throws a `ControlError` for what Slack's client rejects before it sends anything. */
function checkInputs(view: OpenView, { inputs }: WorkspaceState): void {
  const { values } = inputState(view.definition.blocks, inputs.get(view.id));
  for (const { block, element } of elementsOf(view.definition.blocks)) {
    const state = values[block.block_id]?.[element.action_id];
    const value = state?.[valueMember(element) ?? ""] ?? [];
    if (block["type"] !== "input" || !(typeof value === "string" || Array.isArray(value))) continue;
    if (value.length === 0 && block["optional"] !== true) throw new ControlError(`${block.block_id}: required`);
    if (value.length > 0 && value.length < Number(element["min_length"] ?? 0))
      throw new ControlError(`${block.block_id}: too short`);
  }
}

const ANSWER = z.discriminatedUnion("response_action", [
  z.strictObject({ response_action: z.literal("errors"), errors: z.record(z.string(), z.string()) }),
  z.strictObject({ response_action: z.literal("update"), view: z.unknown() }),
  z.strictObject({ response_action: z.literal("push"), view: z.unknown() }),
  z.strictObject({ response_action: z.literal("clear") }),
]);

/**
 * Does what the app answers to a submission; without an answer the modal closes. Throws a `SlackError` for an answer that Slack does not
 * accept. See https://docs.slack.dev/surfaces/modals#response_actions
 */
function takeAnswer(said: unknown, { id, user }: OpenView, state: WorkspaceState): Partial<Interaction> {
  const { views } = state;
  if (said === undefined || JSON.stringify(said) === "{}") {
    views.close(user, id);
    return {};
  }
  const { data: answer } = ANSWER.safeParse(said);
  const view = views.find(id);
  if (!answer) throw new SlackError("invalid_response");
  switch (answer.response_action) {
    case "errors": {
      const inputs = view?.definition.blocks.filter(({ type }) => type === "input").map(({ block_id }) => block_id);
      if (Object.keys(answer.errors).some((block) => !inputs?.includes(block)))
        throw new SlackError("invalid_response");
      return { errors: answer.errors };
    }
    case "update":
      if (view) views.update(view, newView(state, answer.view, view));
      return {};
    case "push":
      pushView(state, user, newView(state, answer.view));
      return {};
    case "clear":
    default:
      views.close(user);
      return {};
  }
}
