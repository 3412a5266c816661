import { parse } from "node:querystring";
import { z } from "zod";
import type { WorkspaceId } from "./slack-api.ts";

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
  selected_time: maybe(text),
  selected_conversation: maybe(text),
});

/** Returns what a person entered or chose in an element. */
function valueOf({ selected_option, selected_date_time: seconds, ...own }: z.output<typeof element>) {
  const time = typeof seconds === "number" ? new Date(seconds * 1_000).toISOString() : undefined;
  const chosen = selected_option?.value ?? own.selected_conversation;
  return own.value ?? chosen ?? own.selected_date ?? own.selected_time ?? time ?? undefined;
}

/** Returns the value of a JSON text; undefined if it is none. */
export function fromJson(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return undefined;
  }
}

/** A text that an agent wrote, for people to press: as JSON, the value of its button. */
const offeredText = z.object({ offered_by: z.string(), text: z.string() });

/** Reads the value of a button with a text of an agent. Throws an error for another one. */
export const readOffered = (value: string): Readonly<z.output<typeof offeredText>> =>
  offeredText.parse(fromJson(value));

/** With the agent or workflow to ask, unless a modal says it, and what Slack passed on of the message. */
const aboutMessage = z.object({ channel: z.string(), ts: z.string() }).catchall(z.string().optional());

/** Reads the message of others that a press is about, JSON. Throws an error for another one. */
export const readAbout = (value: string): Readonly<z.output<typeof aboutMessage>> =>
  aboutMessage.parse(fromJson(value));

const modalData = z.object({
  digest: z.string().optional(),
  channel: z.string(),
  thread_ts: z.string().optional(),
  value: z.string().optional(),
  on_home: z.boolean().optional(),
});

/** What a modal keeps of the press that opened it: the place, the digest that the card showed, the value of the element, and whether it was on the Home tab. */
export type ModalData = Readonly<z.output<typeof modalData>>;

const modal = z.object({
  id: z.string(),
  callback_id: text.catch(""),
  private_metadata: maybe(z.preprocess(fromJson, modalData)),
  app_installed_team_id: maybe(id),
  state: maybe(z.object({ values: z.record(z.string(), z.record(z.string(), element)) })),
});

const schema = z.object({
  type: z.enum(["block_actions", "view_submission", "message_action"]),
  /** Of a shortcut on a message. */
  callback_id: maybe(text),
  channel: maybe(z.object({ id })),
  api_app_id: z.string().optional(),
  team: z.object({ id }).nullish(),
  enterprise: z.object({ id }).nullish(),
  is_enterprise_install: z.boolean().nullish(),
  user: z.object({ id, team_id: id.optional() }),
  trigger_id: z.string().min(1).max(500),
  container: maybe(z.object({ channel_id: id, thread_ts: maybe(text) })),
  /** Loose, because `readMessage` reads what it says. */
  message: maybe(z.looseObject({ ts: maybe(text), thread_ts: maybe(text), user: maybe(text) })),
  response_url: maybe(z.url({ protocol: /^https?$/ }).max(2_000)),
  actions: z
    .array(element.extend({ action_id: text, url: maybe(z.string()) }))
    .max(25)
    .optional(),
  view: modal.nullish(),
});

/**
 * Reads a press on a message or modal of the app, or a submitted modal, with a verified signature. Returns undefined if it is of another type, or
 * a member is missing or invalid. https://docs.slack.dev/interactivity/handling-user-interaction
 */
export function readInteraction(body: unknown) {
  const { data } = schema.safeParse(body);
  if (data === undefined) return undefined;
  const { type, api_app_id, team, enterprise, user, trigger_id, container, message, actions, view } = data;
  const isSubmitted = type === "view_submission";
  const team_id = view?.app_installed_team_id ?? team?.id ?? user.team_id ?? "";
  const org = data.is_enterprise_install === true ? { org_id: enterprise?.id ?? "" } : {};
  const [action] = actions ?? [];
  const thread_ts = container?.thread_ts ?? message?.thread_ts ?? undefined;
  const entered = Object.entries(view?.state?.values ?? {}).flatMap(([block, elements]) => {
    const value = Object.values(elements).map(valueOf)[0];
    return value === undefined ? [] : [[block, value] as const];
  });
  const shortcut = type === "message_action" ? aboutOf(data) : undefined;
  const pressed = shortcut?.place ?? (container && { channel: container.channel_id, thread_ts });
  const place: ModalData | undefined = pressed ?? view?.private_metadata ?? undefined;
  return {
    api_app_id,
    workspace: { team_id, ...org },
    user_id: user.id,
    /** The person's own team, which differs from the workspace's in a shared channel. */
    user_team: user.team_id,
    /** Opens one modal within three seconds, and identifies the press. */
    trigger_id,
    /** The place of the pressed message, or what the modal keeps; undefined if that is not the app's. */
    place,
    /** URL for an answer to the person. It accepts posts without credentials for half an hour, so it is never logged or stored. */
    response_url: data.response_url ?? undefined,
    /** The id of the pressed element, or of the submitted modal. */
    element: (isSubmitted ? view?.callback_id : action?.action_id) ?? "",
    value: shortcut?.value ?? (action && valueOf(action)),
    /** The shortcut that was chosen on a message, and the message as Slack passed it on. */
    shortcut: shortcut && data.callback_id,
    message: shortcut?.message,
    /** True if the pressed element opens a page, so that nothing else is expected of it. */
    isLink: action?.url != null,
    modal_id: view?.id,
    /** The blocks of the submitted modal in which something can be entered. */
    blocks: isSubmitted ? Object.keys(view?.state?.values ?? {}) : [],
    /** What was entered in the submitted modal, by block. */
    entered: isSubmitted ? Object.fromEntries(entered) : undefined,
  };
}

/** Members of a message that say something, and by whom. */
const saying = ["type", "subtype", "user", "bot_id", "app_id", "username", "bot_profile", "ts", "thread_ts", "text"];

/** The most characters of a message that is kept, as JSON. A message of 50 full blocks has 150,000. */
const longestKept = 200_000;

/** A message as Slack passed it on. `isCut`: true without its blocks and attachments, because it is too long. */
export interface PassedMessage {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly isCut: boolean;
}

/** Returns the place of a message with a shortcut, what the shortcut is about, and the message. */
function aboutOf({ channel, message }: z.output<typeof schema>) {
  if (channel == null || message == null) return undefined;
  const { ts, thread_ts } = message;
  const place = { channel: channel.id, thread_ts: thread_ts ?? undefined };
  const only = (names: readonly string[]) =>
    Object.fromEntries(Object.entries(message).filter(([name]) => names.includes(name)));
  const whole = only([...saying, "blocks", "attachments", "files"]);
  const isCut = JSON.stringify(whole).length > longestKept;
  const kept: PassedMessage = { raw: isCut ? only([...saying, "files"]) : whole, isCut };
  return { place, value: JSON.stringify({ ...place, ts }), message: kept };
}

export type Interaction = NonNullable<ReturnType<typeof readInteraction>>;

/** Returns the JSON of a form that is an interaction and nothing else, as Bolt parses it; undefined for other forms. */
export function interactionJson(form: Buffer): Buffer | undefined {
  const { payload, ...others } = parse(form.toString());
  return typeof payload === "string" && Object.keys(others).length === 0 ? Buffer.from(payload) : undefined;
}

/** The shortcut on a message. The manifest declares the same one. */
export const messageShortcut = "ask_about";

const handled = z.union([
  z.object({ type: z.literal("view_submission") }),
  z.object({ type: z.literal("message_action"), callback_id: z.literal(messageShortcut) }),
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
  /** Opens one modal within three seconds. */
  readonly trigger_id: string;
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
  trigger_id: z.string().max(500).catch(""),
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
