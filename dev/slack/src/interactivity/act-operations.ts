import type { ResponseUrlStore } from "../commands/command-replies.ts";
import { ControlError, type RunShortcut } from "../protocol/control-api.ts";
import type { Act, Interaction } from "../protocol/interactivity.ts";
import type { Channel, User } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import { shownChannelName } from "../commands/command-texts.ts";
import { isObject, type Json } from "../web-api/block-checks.ts";
import type { InteractiveElement } from "../web-api/interactive-elements.ts";
import { inputName, valueMember } from "../web-api/view-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { chosenValue } from "./chosen-value.ts";
import type { InteractionSender, Overrides } from "./send-interaction.ts";
import { elementIn, type Surface, surfaceOf, surfacePayload } from "./surface.ts";

/** What people do with the elements of messages and views. */
export interface ActOperations {
  /**
   * Presses a button, chooses or types as the person; resolves when the app has acknowledged it, or Slack has given up. `overrides` replace
   * members of the payload.
   */
  act(act: Act, overrides?: Overrides): Promise<Interaction>;
  /** Runs a message shortcut of the app's manifest; resolves as `act`. */
  runShortcut(run: RunShortcut, overrides?: Overrides): Promise<Interaction>;
}

/** The parts of these operations. */
export interface ActParts {
  readonly state: WorkspaceState;
  readonly send: InteractionSender;
  readonly responseUrls: ResponseUrlStore;
  /** Returns the person and the conversation of a request; throws a `ControlError`. */
  readonly find: (place: Pick<Act, "user" | "channel">) => { user: User; channel: Channel | undefined };
}

export function createActOperations({ state, send, responseUrls, find }: ActParts): ActOperations {
  return {
    act: async (act, overrides) => {
      const surface = surfaceOf(act, find(act), state);
      const { block, element } = elementIn(surface, act);
      const name = inputName(block.block_id, element.action_id);
      const choices = { directory: state.directory, user: surface.user.id };
      const value = actionValue(element, act.value, (one) => chosenValue(element, one, choices));
      if (valueMember(element) !== undefined)
        state.inputs.set(surface.key, { ...state.inputs.get(surface.key), [name]: Object.values(value)[0] });
      if (block["type"] === "input" && block["dispatch_action"] !== true) return { status: 0, ms: 0 };
      const action = { ...ownMembers(element), block_id: block["block_id"], ...value, action_ts: state.clock.ts() };
      const payload = { ...surfacePayload(surface, state), ...triggered(surface), actions: [action], ...overrides };
      return send({ type: "block_actions", user: surface.user, payload, on: surface.on });
    },

    runShortcut: async ({ callback_id, ts, ...place }, overrides) => {
      const { user, channel } = find(place);
      const message = channel && state.messages.find(channel.id, ts);
      if (!message || message.subtype === "tombstone") throw new ControlError(`message ${ts} not found`, 404);
      const declared = state.directory.workspace.app.shortcuts ?? [];
      if (!declared.some((one) => one.type === "message" && one.callback_id === callback_id))
        throw new ControlError(`the app's manifest has no message shortcut ${callback_id}`, 404);
      const payload = {
        action_ts: state.clock.ts(),
        channel: { id: channel.id, name: shownChannelName(channel) },
        callback_id,
        trigger_id: state.triggers.issue({ user: user.id, channel: channel.id }),
        response_url: state.url + responseUrls.issue("app", { channel: channel.id, user: user.id }),
        message_ts: ts,
        message: toApiMessage(message, state),
        ...overrides,
      };
      return send({ type: "message_action", user, payload, on: ts });
    },
  };

  /** Returns the members with which the app can respond. */
  function triggered({ shown, user }: Surface): Json {
    if ("view" in shown) return { trigger_id: state.triggers.issue({ user: user.id, view_id: shown.view.id }) };
    const { channel, ts: original } = shown.message;
    return {
      trigger_id: state.triggers.issue({ user: user.id, channel }),
      response_url: state.url + responseUrls.issue("actions", { channel, user: user.id, original }),
    };
  }
}

/** Returns the value of an action: one member. */
function actionValue(element: InteractiveElement, value: Act["value"], choose: (value: unknown) => unknown): Json {
  const member = valueMember(element);
  if (member !== undefined) return { [member]: choose(value) };
  if (element.type !== "feedback_buttons") return {};
  const { positive_button, negative_button } = element;
  const pressed = [positive_button, negative_button].find((one) => isObject(one) && one["value"] === value);
  if (!pressed) throw new ControlError("value: must be the value of one of the two buttons");
  return { value };
}

/** Returns the members of an element that an action repeats. */
function ownMembers(element: InteractiveElement): Json {
  const repeated = ["type", "action_id", "text", "value", "style", "placeholder", "url", "icon"];
  return Object.fromEntries(
    Object.entries(element).filter(([name]) => repeated.includes(name) || name.startsWith("initial_")),
  );
}
