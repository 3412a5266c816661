import { byteSize, defineConfig, list, url } from "@crosszone/service-kit";
import { z } from "zod";

const mediaTypes = list(
  z
    .string()
    .regex(/^[\w.+-]+\/([\w.+-]+|\*)$/, { error: "it is not a list of media types" })
    .transform((type) => type.toLowerCase())
    .describe("a media type such as text/csv, or text/* for all of a kind"),
);

/** Which files execution can read through verification, and with what token. */
export const fileVariables = defineConfig({
  SLACK_TOKEN_FORWARDING: {
    schema: z.enum(["handle", "real"]).describe("handle or real"),
    default: "handle",
    description: "What execution gets as bot_token: a handle for the files of one task, or the real token. Avoid real.",
    group: "Files",
  },
  SLACK_FILES_ORIGIN: {
    schema: url().optional(),
    description: "Origin of Slack's files. If unset, it follows SLACK_API_URL. Only needed for a local Slack.",
    example: "https://files.slack.com",
    group: "Files",
  },
  FILE_TYPES: {
    schema: mediaTypes,
    default: "text/*,application/json,application/pdf,image/png,image/jpeg,image/gif,image/webp",
    description: "Media types of files that execution can read. HTML is never allowed.",
    group: "Files",
  },
  MAX_FILE: {
    schema: byteSize({ min: 1 }),
    default: "10MB",
    description: "Largest file that a message can bring and that execution can read.",
    group: "Files",
  },
});
