import { parse } from "node:querystring";
import { z } from "zod";
import type { WorkspaceId } from "./slack-api.ts";

/** A press on a message or modal of the app, or a submitted modal. https://docs.slack.dev/interactivity/handling-user-interaction */
export interface Interaction {
  readonly type: "block_actions" | "view_submission";
  readonly api_app_id?: string | undefined;
  readonly workspace: WorkspaceId;
  readonly user_id: string;
  /** The person's own team, which differs from the workspace's in a shared channel. */
  readonly user_team?: string | undefined;
  /** Opens one modal within three seconds, and identifies the press. */
  readonly trigger_id: string;
  /** The message that was pressed. */
  readonly place?: { readonly channel: string; readonly thread_ts?: string | undefined } | undefined;
  /** URL for an answer to the person. It accepts posts without credentials for half an hour, so it is never logged or stored. */
  readonly response_url?: string | undefined;
  /** The pressed element. */
  readonly action?: { readonly id: string; readonly value?: string | undefined } | undefined;
  readonly modal?:
    | {
        readonly id: string;
        readonly callback_id: string;
        readonly private_metadata: string;
        /** What was entered, by block. */
        readonly values: Readonly<Record<string, string>>;
      }
    | undefined;
}

/** What is wrong with the values of a modal, by block. */
export type ModalErrors = Readonly<Record<string, string>>;

const id = z.string().regex(/^[A-Z0-9]{2,30}$/);
const text = z.string().max(4_000);
/** Members that don't apply are missing, null or of another type. */
const maybe = <Type extends z.ZodType>(type: Type) => type.nullish().catch(undefined);

const element = z.object({
  value: maybe(text),
  selected_option: maybe(z.object({ value: text })),
  selected_date: maybe(text),
  selected_date_time: maybe(z.number()),
});

/** Returns what a person entered or chose in an element. */
function valueOf({ value, selected_option, selected_date, selected_date_time: seconds }: z.output<typeof element>) {
  const time = typeof seconds === "number" ? new Date(seconds * 1_000).toISOString() : undefined;
  return value ?? selected_option?.value ?? selected_date ?? time ?? undefined;
}

const modal = z.object({
  id: z.string(),
  callback_id: text.catch(""),
  private_metadata: text.catch(""),
  app_installed_team_id: maybe(id),
  state: maybe(z.object({ values: z.record(z.string(), z.record(z.string(), element)) })),
});

const schema = z.object({
  type: z.enum(["block_actions", "view_submission"]),
  api_app_id: z.string().optional(),
  team: z.object({ id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  user: z.object({ id, team_id: id.optional() }),
  trigger_id: z.string().min(1).max(500),
  container: maybe(z.object({ channel_id: id, thread_ts: maybe(text) })),
  message: maybe(z.object({ thread_ts: maybe(text) })),
  response_url: maybe(z.url({ protocol: /^https?$/ }).max(2_000)),
  actions: z
    .array(element.extend({ action_id: text }))
    .max(25)
    .optional(),
  view: modal.nullish(),
});

/** Reads an interaction with a verified signature. Returns undefined if it is of another type, or a member is missing or invalid. */
export function readInteraction(body: unknown): Interaction | undefined {
  const { data } = schema.safeParse(body);
  if (data === undefined) return undefined;
  const { type, api_app_id, team, enterprise, user, trigger_id, response_url, container, message, actions, view } =
    data;
  const team_id = view?.app_installed_team_id ?? team?.id ?? user.team_id ?? "";
  const org = data.is_enterprise_install === true ? { org_id: enterprise?.id ?? "" } : {};
  const [action] = actions ?? [];
  const thread_ts = container?.thread_ts ?? message?.thread_ts ?? undefined;
  const entered = Object.entries(view?.state?.values ?? {}).flatMap(([block, elements]) => {
    const value = Object.values(elements).map(valueOf)[0];
    return value === undefined ? [] : [[block, value] as const];
  });
  return {
    type,
    api_app_id,
    workspace: { team_id, ...org },
    user_id: user.id,
    user_team: user.team_id,
    trigger_id,
    response_url: response_url ?? undefined,
    place: container ? { channel: container.channel_id, thread_ts } : undefined,
    action: action && { id: action.action_id, value: valueOf(action) },
    modal: view ? { ...view, values: Object.fromEntries(entered) } : undefined,
  };
}

/** Returns the JSON of a form that is an interaction and nothing else, as Bolt parses it; undefined for other forms. */
export function interactionJson(form: Buffer): Buffer | undefined {
  const { payload, ...others } = parse(form.toString());
  return typeof payload === "string" && Object.keys(others).length === 0 ? Buffer.from(payload) : undefined;
}

const handled = z.union([
  z.object({ type: z.literal("view_submission") }),
  z.object({ type: z.literal("block_actions"), actions: z.array(z.unknown()) }),
]);

/** Returns true if a form, which Bolt has read, is an interaction that Bolt passes to the app. */
export function isInteraction(form: Buffer): boolean {
  const json = interactionJson(form);
  return json !== undefined && handled.safeParse(JSON.parse(json.toString())).success;
}

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

const commandForm = z.object({
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
  const read = commandForm.safeParse(body);
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
