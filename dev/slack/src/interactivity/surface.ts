import { ControlError } from "../protocol/control-api.ts";
import type { Act } from "../protocol/interactivity.ts";
import type { Channel, Message, OpenView, User } from "../protocol/workspace.ts";
import { toApiMessage } from "../workspace/message-shape.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { elementsOf, type PlacedElement } from "../web-api/interactive-elements.ts";
import { inputState, toApiView } from "../web-api/view-shape.ts";
import { shownChannelName } from "../commands/command-texts.ts";

/** A message or a view in front of a person. */
export interface Surface {
  readonly user: User;
  readonly blocks: readonly unknown[];
  /** The `ts` of the message, or the id of the view. */
  readonly on: string;
  /** The key of its values in `WorkspaceState.inputs`. */
  readonly key: string;
  readonly shown: { readonly view: OpenView } | { readonly message: Message; readonly channel: Channel };
}

/** Returns what the person has in front of them. Throws a `ControlError` if the person cannot see or use it. */
export function surfaceOf(
  { channel: channelId, ts, view_id }: Act,
  { user, channel }: { user: User; channel: Channel | undefined },
  state: WorkspaceState,
): Surface {
  if (view_id !== undefined) {
    const home = state.views.home(user.id);
    const view = home?.id === view_id ? home : openView(state, user, view_id);
    return { user, blocks: view.definition.blocks, on: view.id, key: view.id, shown: { view } };
  }
  if (!channel || ts === undefined) throw new ControlError("a channel and a ts, or a view_id, are required");
  const message = state.messages.find(channel.id, ts, user.id);
  if (!message) throw new ControlError(`message ${ts} not found in ${channelId}`, 404);
  if (message.bot_id !== state.directory.workspace.app.bot_id) throw new ControlError("not a message of the app", 403);
  const { blocks = [] } = message;
  return { user, blocks, on: ts, key: `${user.id} ${channel.id} ${ts}`, shown: { message, channel } };
}

/** Returns the top modal of a person. Throws a `ControlError` for any other view. */
export function openView({ views }: WorkspaceState, { id, name }: User, view_id: string): OpenView {
  const top = views.modals(id).at(-1);
  if (top?.id !== view_id) throw new ControlError(`view ${view_id} is not the top one of ${name}`, 404);
  return top;
}

/** Returns an interactive element. Throws a `ControlError` unless exactly one has these ids. */
export function elementIn({ blocks }: Surface, ids: { action_id: string; block_id?: string }): PlacedElement {
  const matches = elementsOf(blocks).filter(
    ({ block, element }) =>
      element.action_id === ids.action_id && (ids.block_id === undefined || block.block_id === ids.block_id),
  );
  const [match] = matches;
  if (!match) throw new ControlError(`there is no element ${ids.action_id}`, 404);
  if (matches.length > 1) throw new ControlError(`block_id: required, several blocks have ${ids.action_id}`);
  return match;
}

/** Returns the members of a payload that say where the interaction was. An ephemeral message is named, but not included, as in Slack. */
export function surfacePayload({ shown, blocks, key }: Surface, state: WorkspaceState): Record<string, unknown> {
  if ("view" in shown) {
    return { container: { type: "view", view_id: shown.view.id }, view: toApiView(shown.view, state) };
  }
  const { message, channel } = shown;
  const { ts, thread_ts } = message;
  const is_ephemeral = message.ephemeral_for !== undefined;
  const thread = thread_ts === undefined ? {} : { thread_ts };
  return {
    container: { type: "message", message_ts: ts, ...thread, channel_id: channel.id, is_ephemeral },
    channel: { id: channel.id, name: shownChannelName(channel) },
    ...(!is_ephemeral && { message: toApiMessage(message, state) }),
    state: inputState(blocks, state.inputs.get(key)),
  };
}
