import type { Message } from "../protocol/workspace.ts";
import type { NewMessage } from "../workspace/message-store.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { wrapEvent } from "./event-envelope.ts";
import type { EventEnvelope, SlackEvent } from "./event-envelope.ts";
import { appMentionEvent, messageChangedEvent, messageDeletedEvent, messageEvent } from "./event-shapes.ts";

/** Changes messages and notifies the app, as Slack does: with asynchronous events, only from channels of which its bot is a member. */
export interface EventPublisher {
  post(message: NewMessage): Message;
  change(message: Message): void;
  remove(message: Message): void;
  /** Sends any other event to the app, unconditionally. `overrides` replace members of the envelope. */
  send(event: SlackEvent, overrides?: Partial<EventEnvelope>): void;
}

/** Makes a publisher. `deliver` must accept an envelope and return at once. */
export function createEventPublisher(
  state: WorkspaceState,
  deliver: (envelope: EventEnvelope) => void,
): EventPublisher {
  const { app } = state.directory.workspace;
  const { atomically } = state.storage;
  const send = (event: SlackEvent, overrides?: Partial<EventEnvelope>): void => {
    deliver({ ...wrapEvent(event, state), ...overrides });
  };
  const seenByBot = (channel: string): boolean =>
    state.directory.channel(channel)?.members.includes(app.bot_user_id) ?? false;

  return {
    send,
    post: (draft) =>
      atomically(() => {
        const message = state.messages.add(draft);
        if (message.ephemeral_for !== undefined || !seenByBot(message.channel)) return message;
        send(messageEvent(message, state));
        if (mentionsApp(message)) send(appMentionEvent(message, state));
        return message;
      }),
    change: (message) =>
      atomically(() => {
        const previous = state.messages.replace(message);
        if (previous && seenByBot(message.channel)) send(messageChangedEvent(message, previous, state));
      }),
    remove: (message) =>
      atomically(() => {
        const previous = state.messages.remove(message.channel, message.ts);
        if (previous && seenByBot(message.channel)) send(messageDeletedEvent(previous, state));
      }),
  };

  /** In a direct message, a mention does not cause a second event. */
  function mentionsApp({ channel, text, user }: Message): boolean {
    const isDirect = state.directory.channel(channel)?.kind === "im";
    return !isDirect && user !== app.bot_user_id && text.includes(`<@${app.bot_user_id}>`);
  }
}
