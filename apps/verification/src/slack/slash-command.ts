import { parse } from "node:querystring";
import { z } from "zod";
import type { WorkspaceId } from "./slack-api.ts";

/** The slash commands that this app takes. The manifest declares the same. */
export const listenedCommands = ["/agents", "/usage"] as const;

/** A slash command that somebody typed. https://docs.slack.dev/interactivity/implementing-slash-commands */
export interface SlashCommand {
  readonly command: (typeof listenedCommands)[number];
  /** What stands behind it. */
  readonly text: string;
  readonly api_app_id?: string | undefined;
  readonly workspace: WorkspaceId;
  readonly user_id: string;
  readonly channel_id: string;
  /** Where the answer goes. Whoever knows it may write there for half an hour: it is never logged or kept. */
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

/** Reads a command whose signature was checked. Nothing when a member is missing, doubled or not what Slack sends. */
export function readSlashCommand(body: unknown): SlashCommand | undefined {
  const read = schema.safeParse(body);
  if (!read.success) return undefined;
  const { team_id, enterprise_id, is_enterprise_install, ...rest } = read.data;
  const isOfOrganisation = is_enterprise_install === true || is_enterprise_install === "true";
  return { ...rest, workspace: isOfOrganisation ? { team_id, org_id: enterprise_id ?? "" } : { team_id } };
}

/**
 * Whether a form is a slash command and nothing else, read as Bolt reads it. Bolt takes a member `payload` for JSON that stands in the
 * place of the form, and what `null` or very deep JSON does there ends the process.
 */
export function isCommandForm(body: Buffer): boolean {
  const { command, payload } = parse(body.toString());
  return typeof command === "string" && payload === undefined;
}
