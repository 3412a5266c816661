import { defineConfig, duration, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";

/** Where agents do their work. */
export const agentVariables = defineConfig({
  DEFAULT_AGENT: {
    schema: z.string().trim().min(1).describe("the name of an agent or a workflow").optional(),
    description:
      "The agent or workflow that answers when a message, its thread and its channel name none: the assistant when a language model is connected, else builtin, unless it is set.",
    example: "proofreader",
    group: "Agents",
  },
  CONVERSATION_RETENTION: {
    schema: duration({ min: 60_000 }),
    default: "14d",
    description:
      "How long an agent's open question, its own id of a conversation and the summary of a long thread are kept after the last message.",
    group: "Agents",
    formerly: "CONVERSATION_RETENTION_MS",
  },
  SHOW_AGENT_ERRORS: {
    schema: yesOrNo(),
    default: "false",
    description:
      "Whether the answer in Slack says why an agent failed, for the agent's owner. On in development; people would read addresses and internals.",
    group: "Agents",
  },
});
