import { createHash } from "node:crypto";
import { z } from "zod";
import { newSlackId } from "../workspace/slack-clock.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { checkBlocks } from "./block-rules.ts";
import { structured } from "./arguments.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

const LARGEST_VIEW = 250 * 1024;
const MOST_BLOCKS = 100;
const blocks = z.array(z.record(z.string(), z.unknown()));
const label = z.object({
  type: z.literal("plain_text"),
  text: z.string().min(1).max(24),
  emoji: z.boolean().optional(),
});
const NAMES = { callback_id: z.string().max(255).optional(), external_id: z.string().max(255).optional() };

/** A Home tab. See https://docs.slack.dev/reference/views/home-tab-views */
const HOME_VIEW: z.ZodType<View> = z.looseObject({ type: z.literal("home"), blocks, ...NAMES });

/** A modal; one with inputs needs a submit button. See https://docs.slack.dev/reference/views/modal-views */
const MODAL_VIEW: z.ZodType<View> = z
  .looseObject({
    type: z.literal("modal"),
    title: label,
    blocks,
    close: label.optional(),
    submit: label.optional(),
    private_metadata: z.string().max(3000).optional(),
    ...NAMES,
  })
  .refine((view) => view.submit !== undefined || view.blocks.every(({ type }) => type !== "input"), {
    path: ["submit"],
    message: "missing required field: submit",
  });

/** A view as the app sent it. */
interface View {
  [member: string]: unknown;
  type: string;
  blocks: Record<string, unknown>[];
}

/** Validates a view. Throws `invalid_arguments`, `view_too_large`, `invalid_blocks`, `msg_blocks_too_long`. */
function readView(schema: z.ZodType<View>, value: unknown): View {
  const given = schema.safeParse(value);
  if (!given.success)
    throw errorWithMessages(
      "invalid_arguments",
      given.error.issues.map((issue) => `${issue.message} [json-pointer:/view/${issue.path.join("/")}]`),
    );
  if (Buffer.byteLength(JSON.stringify(given.data)) > LARGEST_VIEW) throw new SlackError("view_too_large");
  checkBlocks(given.data.blocks, MOST_BLOCKS);
  return given.data;
}

/**
 * Returns the view in the format of the Web API, without its id; its hash changes with its content. See
 * https://docs.slack.dev/reference/views
 */
function toApiView(view: View, state: WorkspaceState): Record<string, unknown> {
  const { app, team } = state.directory.workspace;
  const digest = createHash("sha256").update(JSON.stringify(view)).digest("hex");
  return {
    team_id: team.id,
    ...view,
    hash: `${state.clock.seconds()}.${digest.slice(0, 8)}`,
    app_id: app.app_id,
    bot_id: app.bot_id,
    app_installed_team_id: team.id,
  };
}

/** The Home tab and modals. See https://docs.slack.dev/reference/methods/views.publish */
export const VIEW_METHODS: readonly WebMethod[] = [
  webMethod("views.publish", {
    tier: "tier_4",
    args: z.object({ user_id: z.string(), view: structured(z.unknown()), hash: z.string().optional() }),
    run: ({ state }, args) => {
      if (!state.directory.user(args.user_id)) throw new SlackError("user_not_found");
      const given = readView(HOME_VIEW, args.view);
      const previous = state.homeViews.get(args.user_id);
      if (args.hash !== undefined && args.hash !== previous?.["hash"]) throw new SlackError("hash_conflict");
      const view = { id: previous?.["id"] ?? newSlackId("V"), ...toApiView(given, state) };
      state.homeViews.set(args.user_id, view);
      return { view };
    },
  }),

  webMethod("views.open", {
    tier: "tier_4",
    args: z.object({
      trigger_id: z.string().optional(),
      interactivity_pointer: z.string().optional(),
      view: structured(z.unknown()),
    }),
    run: ({ state }, args) => {
      const trigger_id = args.trigger_id ?? args.interactivity_pointer;
      if (trigger_id === undefined)
        throw errorWithMessages("invalid_arguments", ["missing required field: trigger_id"]);
      const trigger = state.triggers.find(trigger_id);
      if (typeof trigger === "string") throw new SlackError(trigger);
      const given = readView(MODAL_VIEW, args.view);
      const opened = [...state.modals.values()].flat();
      const { external_id } = given;
      if (external_id !== undefined && opened.some((one) => one["external_id"] === external_id))
        throw new SlackError("duplicate_external_id");
      state.triggers.exchange(trigger_id);
      const id = newSlackId("V");
      const whole = { private_metadata: "", callback_id: "", close: null, submit: null, external_id: "", ...given };
      const view = {
        id,
        ...toApiView(whole, state),
        state: { values: {} },
        clear_on_close: given["clear_on_close"] === true,
        notify_on_close: given["notify_on_close"] === true,
        previous_view_id: null,
        root_view_id: id,
      };
      state.modals.set(trigger.user, [...(state.modals.get(trigger.user) ?? []), view]);
      return { view };
    },
  }),
];
