import { defineConfig, duration, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";

/** Which agent answers, and what is kept of conversations. */
export const agentVariables = defineConfig({
  DEFAULT_AGENT: {
    schema: z.string().trim().min(1).describe("the name of an agent or a workflow").optional(),
    description:
      "Agent or workflow that answers if a message, its thread and its channel name none. If unset: the assistant, or builtin without a model.",
    example: "proofreader",
    group: "Agents",
  },
  CONVERSATION_RETENTION: {
    schema: duration({ min: 60_000 }),
    default: "14d",
    description: "How long an agent's conversation is kept after its last message: open question, ID and summary.",
    group: "Agents",
    formerly: "CONVERSATION_RETENTION_MS",
  },
  SHOW_AGENT_ERRORS: {
    schema: yesOrNo(),
    default: "false",
    description:
      "Whether the answer in Slack says why an agent failed. Use it in development: errors can show internal addresses.",
    group: "Agents",
  },
});
