import { z } from "zod";
import type { ViewDefinition } from "../protocol/workspace.ts";
import { anything, boolean, members, oneOf, plain, string } from "./block-checks.ts";
import { blockProblems } from "./block-rules.ts";
import { withIds } from "./interactive-elements.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

const LARGEST_VIEW = 250_000;
const shared = { private_metadata: string(3000, 0), callback_id: string(255, 0), external_id: string(255, 0) };
/** See https://docs.slack.dev/reference/views */
const checks = {
  modal: members({
    required: { type: oneOf("modal"), blocks: anything, title: plain(24) },
    optional: {
      ...shared,
      submit: plain(24),
      close: plain(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
      submit_disabled: boolean,
    },
    closed: true,
  }),
  home: members({ required: { type: oneOf("home"), blocks: anything }, optional: shared, closed: true }),
};

/** Returns a valid modal or Home tab, with ids for its blocks. Throws `view_too_large`, and `invalid_arguments` with every problem. */
export function viewFrom(value: unknown, type: ViewDefinition["type"]): ViewDefinition {
  if (JSON.stringify(value ?? null).length > LARGEST_VIEW) throw new SlackError("view_too_large");
  const problems = viewProblems(value, type);
  if (problems.length > 0) throw errorWithMessages("invalid_arguments", problems);
  const view = value as ViewDefinition;
  return { ...view, blocks: withIds(view.blocks) };
}

function viewProblems(value: unknown, type: ViewDefinition["type"]): string[] {
  const own = checks[type](value, "/view").map(([problem, at]) => `${problem} [json-pointer:${at}]`);
  const view = z
    .object({ blocks: z.array(z.record(z.string(), z.unknown())), submit: z.unknown().optional() })
    .safeParse(value);
  if (!view.success) return [...own, "must be a list of blocks [json-pointer:/view/blocks]"];
  const { blocks, submit } = view.data;
  if (type === "modal" && submit === undefined && blocks.some((block) => block["type"] === "input"))
    own.push("missing required field: submit [json-pointer:/view]");
  return [...own, ...blockProblems(blocks, type, "/view/blocks")];
}
