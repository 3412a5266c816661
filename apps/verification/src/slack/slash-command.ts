import { parse } from "node:querystring";
import { z } from "zod";
import type { WorkspaceId } from "./slack-api.ts";

/** The app's slash commands. The manifest declares the same ones. */
export const listenedCommands = ["/agents", "/usage"] as const;

/** A slash command typed by a person. https://docs.slack.dev/interactivity/implementing-slash-commands */
export interface SlashCommand {
  readonly command: (typeof listenedCommands)[number];
  /** The text after the command. */
  readonly text: string;
  readonly api_app_id?: string;
  readonly workspace: WorkspaceId;
  readonly user_id: string;
  readonly channel_id: string;
  /** URL for the answer. It accepts posts without credentials for half an hour, so it is never logged or stored. */
  readonly response_url: string;
}

const id = z.string().regex(/^[A-Z0-9]{2,30}$/);

const schema = z.object({
  command: z.enum(listenedCommands),
  text: z.string().max(3_000).catch(""),
  api_app_id: z.string().optional(),
  team_id: id,
  enterprise_id: id.optional(),
  is_enterprise_install: z.union([z.enum(["true", "false"]), z.boolean()]).optional(),
  user_id: id,
  channel_id: id,
  response_url: z.url({ protocol: /^https?$/ }).max(2_000),
});

/** Reads a command with a verified signature. Returns undefined if a member is missing, repeated or invalid. */
export function readSlashCommand(body: unknown): SlashCommand | undefined {
  const read = schema.safeParse(body);
  if (!read.success) return undefined;
  const { team_id, enterprise_id, is_enterprise_install, ...rest } = read.data;
  const isOfOrganization = is_enterprise_install === true || is_enterprise_install === "true";
  return { ...rest, workspace: isOfOrganization ? { team_id, org_id: enterprise_id ?? "" } : { team_id } };
}

/**
 * Returns true if a form is a slash command and nothing else, as Bolt parses it. Bolt parses a member `payload` as JSON that replaces the
 * form.
 */
export function isCommandForm(body: Buffer): boolean {
  const { command, payload } = parse(body.toString());
  return typeof command === "string" && payload === undefined;
}
