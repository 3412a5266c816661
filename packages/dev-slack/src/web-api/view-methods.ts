import { createHash } from "node:crypto";
import { z } from "zod";
import { newSlackId } from "../workspace/slack-id.ts";
import { structured } from "./arguments.ts";
import { checkBlocks } from "./block-rules.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";
import { webMethod } from "./web-method.ts";
import type { WebMethod } from "./web-method.ts";

const LARGEST_VIEW = 250 * 1024;
const MOST_BLOCKS = 100;
const VIEW = z.looseObject({ type: z.literal("home"), blocks: z.array(z.record(z.string(), z.unknown())) });

/** The Home tab. See https://docs.slack.dev/reference/methods/views.publish */
export const VIEW_METHODS: readonly WebMethod[] = [
  webMethod("views.publish", {
    tier: "tier_4",
    args: z.object({ user_id: z.string(), view: structured(z.unknown()), hash: z.string().optional() }),
    run: ({ state }, args) => {
      const { app, team } = state.directory.workspace;
      if (!state.directory.user(args.user_id)) throw new SlackError("user_not_found");
      const given = VIEW.safeParse(args.view);
      if (!given.success)
        throw errorWithMessages(
          "invalid_arguments",
          given.error.issues.map((issue) => `${issue.message} [json-pointer:/view/${issue.path.join("/")}]`),
        );
      const text = JSON.stringify(given.data);
      if (Buffer.byteLength(text) > LARGEST_VIEW) throw new SlackError("view_too_large");
      checkBlocks(given.data.blocks, MOST_BLOCKS);
      const previous = state.homeViews.get(args.user_id);
      if (args.hash !== undefined && args.hash !== previous?.["hash"]) throw new SlackError("hash_conflict");
      const view = {
        id: previous?.["id"] ?? newSlackId("V"),
        team_id: team.id,
        ...given.data,
        hash: `${state.clock.seconds()}.${createHash("sha256").update(text).digest("hex").slice(0, 8)}`,
        app_id: app.app_id,
        bot_id: app.bot_id,
        app_installed_team_id: team.id,
      };
      state.homeViews.set(args.user_id, view);
      return { view };
    },
  }),
];
