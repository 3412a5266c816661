import { z } from "zod";
import { isTimestamp } from "../workspace/slack-clock.ts";
import type { Thread } from "../workspace/agent-threads.ts";
import { visibleChannel } from "./channels.ts";
import { structured } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

const THREAD = { channel_id: z.string(), thread_ts: z.string() };

const LONGEST_TITLE = 200;

/** Methods of agents: the status of a thread and of its session. Titles are checked, not shown. See https://docs.slack.dev/ai/agent-sessions */
export const AGENT_METHODS: readonly WebMethod[] = [
  webMethod("assistant.threads.setStatus", {
    tier: "tier_4",
    scopes: ["chat:write", "assistant:write"],
    args: z.object({
      ...THREAD,
      status: z.string().default(""),
      loading_messages: structured(z.array(z.string()).max(10)).optional(),
    }),
    run: (context, args) => {
      context.state.statuses.set(threadOf(context, args), args.status, "assistant");
      return {};
    },
  }),

  webMethod("agents.sessions.setStatus", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({
      ...THREAD,
      status: z.enum(["active", "processing", "suspended", "closed"]),
      title: z.string().max(LONGEST_TITLE).optional(),
    }),
    run: (context, args) => {
      const { status, title } = args;
      context.state.statuses.set(threadOf(context, args), status, "session");
      return { status, agent_status: status, ...(title !== undefined && { title }) };
    },
  }),

  webMethod("agents.sessions.rename", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({ ...THREAD, title: z.string().max(LONGEST_TITLE) }),
    run: (context, args) => {
      threadOf(context, args);
      return { title: args.title };
    },
  }),
];

function threadOf(context: CallContext, { channel_id, thread_ts }: { channel_id: string; thread_ts: string }): Thread {
  const { id } = visibleChannel(context, channel_id);
  if (!isTimestamp(thread_ts) || !context.state.messages.find(id, thread_ts)) throw new SlackError("invalid_thread_ts");
  return { channel: id, thread_ts };
}
