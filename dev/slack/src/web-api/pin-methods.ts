import { z } from "zod";
import { isTimestamp } from "../workspace/slack-clock.ts";
import { checkWritable, visibleChannel } from "./channel-access.ts";
import { SlackError } from "./slack-error.ts";
import { webMethod } from "./web-method.ts";
import type { WebMethod } from "./web-method.ts";

const MOST_PINS = 100;

/** Methods of pins. A pin changes the message without an event, because the app is not subscribed to `pin_added`. */
export const PIN_METHODS: readonly WebMethod[] = [
  webMethod("pins.add", {
    tier: "tier_2",
    scopes: ["pins:write"],
    args: z.object({ channel: z.string(), timestamp: z.string().optional() }),
    run: (context, args) => {
      const { messages } = context.state;
      const { id } = checkWritable(context, visibleChannel(context, args.channel));
      if (args.timestamp === undefined) throw new SlackError("no_item_specified");
      if (!isTimestamp(args.timestamp)) throw new SlackError("bad_timestamp");
      const message = messages.find(id, args.timestamp);
      if (!message) throw new SlackError("message_not_found");
      if (message.pinned) throw new SlackError("already_pinned");
      if (messages.all(id).filter(({ pinned }) => pinned).length >= MOST_PINS) throw new SlackError("too_many_pins");
      messages.replace({ ...message, pinned: true });
      return {};
    },
  }),
];
