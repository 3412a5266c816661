import { z } from "zod";
import { isTimestamp } from "../workspace/slack-clock.ts";
import type { Thread } from "../workspace/agent-threads.ts";
import { visibleChannel } from "./channels.ts";
import { structured } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

const THREAD = { channel_id: z.string(), thread_ts: z.string() };
const PROMPT = z.object({ title: z.string().min(1), message: z.string().min(1) });

const LONGEST_TITLE = 200;

/** Methods of agents: status, session, title, suggested prompts. See https://docs.slack.dev/ai/agent-sessions */
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

  webMethod("assistant.threads.setSuggestedPrompts", {
    tier: "tier_4",
    scopes: ["assistant:write"],
    args: z.object({
      channel_id: z.string(),
      thread_ts: z.string().optional(),
      title: z.string().optional(),
      prompts: structured(z.array(PROMPT).min(1).max(4)),
    }),
    run: (context, { channel_id, thread_ts, title, prompts }) => {
      const place =
        thread_ts === undefined
          ? { channel: visibleChannel(context, channel_id).id }
          : threadOf(context, { channel_id, thread_ts });
      context.state.prompts.set({ ...place, title, prompts });
      return {};
    },
  }),

  webMethod("assistant.threads.setTitle", {
    tier: "tier_4",
    scopes: ["assistant:write"],
    args: z.object({ ...THREAD, title: z.string() }),
    run: (context, args) => {
      context.state.statuses.rename(threadOf(context, args), args.title);
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
      const thread = threadOf(context, args);
      context.state.statuses.set(thread, args.status, "session");
      const title = context.state.statuses.title(thread, args.title);
      return { status: args.status, agent_status: args.status, ...(title !== undefined && { title }) };
    },
  }),

  webMethod("agents.sessions.rename", {
    tier: "tier_3",
    scopes: ["chat:write"],
    args: z.object({ ...THREAD, title: z.string().max(LONGEST_TITLE) }),
    run: (context, args) => {
      context.state.statuses.rename(threadOf(context, args), args.title);
      return { title: args.title };
    },
  }),
];

function threadOf(context: CallContext, { channel_id, thread_ts }: { channel_id: string; thread_ts: string }): Thread {
  const { id } = visibleChannel(context, channel_id);
  if (!isTimestamp(thread_ts) || !context.state.messages.find(id, thread_ts)) throw new SlackError("invalid_thread_ts");
  return { channel: id, thread_ts };
}
