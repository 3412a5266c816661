import { z } from "zod";
import type { EventPublisher } from "../events/event-publisher.ts";
import { author } from "../web-api/chat-post-methods.ts";
import { CONTENT_ARGUMENTS, messageContent } from "../web-api/message-content.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import type { CommandPlace } from "./response-urls.ts";

const REPLY = z.strictObject({
  ...CONTENT_ARGUMENTS,
  response_type: z.enum(["ephemeral", "in_channel"]).default("ephemeral"),
  // No message exists yet that could be replaced or deleted.
  replace_original: z.literal(false).optional(),
  delete_original: z.literal(false).optional(),
});

/**
 * Posts an app's answer to a command: ephemeral unless it sets `in_channel`; also in conversations without the app. Throws a `SlackError`:
 * `invalid_payload` for unknown members, or the content's own errors.
 */
export function postReply(
  payload: unknown,
  place: CommandPlace,
  { state, events }: { state: WorkspaceState; events: EventPublisher },
): void {
  const reply = REPLY.safeParse(payload);
  if (!reply.success) throw new SlackError("invalid_payload");
  const { response_type, replace_original: _replace, delete_original: _delete, ...content } = reply.data;
  events.post({
    channel: place.channel,
    ...author({ state }),
    ...messageContent({ warn: () => undefined }, content),
    ...(response_type === "ephemeral" && { ephemeral_for: place.user }),
  });
}
