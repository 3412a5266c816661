import { defineConfig, duration, list, wholeNumber, yesOrNo } from "@crosszone/service-kit";
import { z } from "zod";
import { channelId, teamId, userId } from "../policies/policy-schema.ts";

const group = "Policy";
const count = wholeNumber({ min: 1, max: 1_000_000 });

/** Who may ask, and how much. */
export const policyVariables = defineConfig({
  ALLOWED_TEAMS: {
    schema: list(teamId).optional(),
    description: "Teams that may ask beside the one that installed the app. Empty: only that one.",
    example: "T0123456789",
    group,
  },
  ALLOWED_CHANNELS: {
    schema: list(channelId).optional(),
    description:
      "The only conversations where the app answers; dm stands for every direct message. Empty: wherever the app is, except what the switches below keep out.",
    example: "C0123456789,dm",
    group,
  },
  ALLOWED_USERS: {
    schema: list(userId).optional(),
    description: "The only people who may ask. Empty: every member of an allowed team, and nobody else.",
    example: "U0123456789",
    group,
  },
  ALLOW_GUESTS: {
    schema: yesOrNo().optional(),
    description: "Whether guests of the workspace may ask. Without it they may not.",
    example: "false",
    group,
  },
  ALLOW_SHARED_CHANNELS: {
    schema: yesOrNo().optional(),
    description:
      "Whether the app answers in channels that are shared with another organisation. Without it, it does not. Whose people may ask there is said by ALLOWED_TEAMS.",
    example: "false",
    group,
  },
  POLICY_FILE: {
    schema: z.string().describe("the path of a JSON file").optional(),
    description:
      "JSON file with allowed_teams, allowed_channels, allowed_users, allow_guests and allow_shared_channels, in the place of the variables of these names. It is followed while the app runs.",
    example: "/etc/crosszone/policy.json",
    group,
  },
  USER_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "20",
    description: "Messages that one person may send at once, and again over a minute.",
    group,
  },
  CHANNEL_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "60",
    description: "Messages that one conversation may send at once, and again over a minute.",
    group,
  },
  TEAM_MESSAGES_PER_MINUTE: {
    schema: count,
    default: "300",
    description: "Messages that the people of one team may send at once, and again over a minute.",
    group,
  },
  THREAD_MESSAGES_PER_HOUR: {
    schema: count,
    default: "60",
    description:
      "Messages that one thread may send at once, and again over an hour. Ends a talk between two automations.",
    group,
  },
  MAX_WAITING_PER_THREAD: {
    schema: wholeNumber({ min: 1, max: 10_000 }),
    default: "5",
    description: "Questions that may wait in a thread behind the one that is worked on; the next is turned away.",
    group,
  },
  MAX_QUESTION_CHARACTERS: {
    schema: count,
    default: "20000",
    description: "Longest question.",
    group,
  },
  MAX_FILES: {
    schema: wholeNumber({ min: 0, max: 1_000 }),
    default: "10",
    description: "Files that may come with one message.",
    group,
  },
});
