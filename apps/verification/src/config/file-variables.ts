import { byteSize, defineConfig, duration, list, url, wholeNumber } from "@crosszone/service-kit";
import { z } from "zod";

const mediaTypes = list(
  z
    .string()
    .regex(/^[\w.+-]+\/([\w.+-]+|\*)$/, { error: "it is not a list of media types" })
    .transform((type) => type.toLowerCase())
    .describe("a media type such as text/csv, or text/* for all of a kind"),
);

/** Which files the execution zone may read through this one, and what it gets to do so. */
export const fileVariables = defineConfig({
  SLACK_TOKEN_FORWARDING: {
    schema: z.enum(["handle", "real"]).describe("handle or real"),
    default: "handle",
    description:
      "What the execution zone gets as bot_token: a handle that is good for the files of one task, or the real token, for a peer that calls Slack by itself.",
    group: "Files",
  },
  SLACK_FILES_ORIGIN: {
    schema: url().optional(),
    description:
      "Where Slack keeps files. Default: https://files.slack.com, or what belongs to SLACK_API_URL. Anything else must be on this machine.",
    example: "https://files.slack.com",
    group: "Files",
  },
  FILE_TYPES: {
    schema: mediaTypes,
    default: "text/*,application/json,application/pdf,image/png,image/jpeg,image/gif,image/webp",
    description: "Files of these media types may be read; HTML never.",
    group: "Files",
  },
  MAX_FILE: {
    schema: byteSize({ min: 1 }),
    default: "10MB",
    description: "Largest file that may come with a message, and that is read.",
    group: "Files",
  },
});
