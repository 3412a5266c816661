import { defineConfig, list, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";
import { channelId, teamId, userId } from "./policy-schema.ts";

const count = wholeNumber({ min: 1, max: 1_000_000 });

/** Who can ask, where, and how often. */
export const policyVariables = defineConfig({
  ALLOWED_TEAMS: {
    schema: list(teamId).optional(),
    description:
      "Workspaces whose members can ask, in addition to the one that installed the app. With SLACK_CLIENT_ID, only these can install it.",
    example: "T0123456789",
    group: "Who can ask",
  },
  ALLOWED_CHANNELS: {
    schema: list(channelId).optional(),
    description:
      "Channels where the app answers; dm means direct messages. If unset, it answers wherever it was added.",
    example: "C0123456789,dm",
    group: "Who can ask",
  },
  ALLOWED_USERS: {
    schema: list(userId).optional(),
    description: "People who can ask. If unset, every member of an allowed workspace can ask.",
    example: "U0123456789",
    group: "Who can ask",
  },
  ALLOW_GUESTS: {
    schema: yesOrNo().optional(),
    description: "Whether guests of the workspace can ask.",
    example: "false",
    group: "Who can ask",
  },
  ALLOW_SHARED_CHANNELS: {
    schema: yesOrNo().optional(),
    description:
      "Whether the app answers in channels shared with other organisations. ALLOWED_TEAMS lists the organisations whose people can ask.",
    example: "false",
    group: "Who can ask",
  },
  POLICY_FILE: {
    schema: z.string().describe("the path of a JSON file").optional(),
    description:
      "JSON file with the policy; it replaces the ALLOWED_ and ALLOW_ variables. Edits apply without a restart.",
    example: "/etc/crosszone/policy.json",
    group: "Who can ask",
  },
  USER_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "20",
    description: "Messages per person and minute, including one burst of this size.",
    group: "Limits for people",
  },
  CHANNEL_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "60",
    description: "Messages per channel and minute, including one burst of this size.",
    group: "Limits for people",
  },
  TEAM_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "300",
    description: "Messages per workspace and minute, including one burst of this size.",
    group: "Limits for people",
  },
  THREAD_MESSAGES_PER_HOUR: {
    schema: count,
    default: "60",
    description: "Messages per thread and hour, including one burst of this size. It ends loops between two bots.",
    group: "Limits for people",
  },
  MAX_WAITING_PER_THREAD: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "5",
    description: "Questions that can wait in one thread. Verification refuses the next one.",
    group: "Limits for people",
  },
  MAX_QUESTION_CHARACTERS: {
    schema: count,
    default: "20000",
    description: "Characters of one question. Verification refuses longer ones.",
    group: "Limits for people",
  },
  MAX_FILES: {
    schema: wholeNumber({ min: 0, max: 1_000 }),
    default: "10",
    description: "Files of one message. Verification refuses messages with more.",
    group: "Limits for people",
  },
});
