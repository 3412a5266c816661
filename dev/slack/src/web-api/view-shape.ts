import { createHash } from "node:crypto";
import { z } from "zod";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { checkBlocks } from "./block-rules.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

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
export const HOME_VIEW: z.ZodType<View> = z.looseObject({ type: z.literal("home"), blocks, ...NAMES });

/** A modal; one with inputs needs a submit button. See https://docs.slack.dev/reference/views/modal-views */
export const MODAL_VIEW: z.ZodType<View> = z
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
export interface View {
  [member: string]: unknown;
  type: string;
  blocks: Record<string, unknown>[];
}

/** Validates a view. Throws `invalid_arguments`, `view_too_large`, `invalid_blocks`, `msg_blocks_too_long`. */
export function readView(schema: z.ZodType<View>, value: unknown): View {
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
export function toApiView(view: View, state: WorkspaceState): Record<string, unknown> {
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
