import { z } from "zod";
import type { ViewDefinition } from "../protocol/workspace.ts";
import { boolean, isObject, members, plain, type Rule, string } from "./block-checks.ts";
import { blockProblems } from "./block-rules.ts";
import { withIds } from "./interactive-elements.ts";
import { errorWithMessages, SlackError } from "./slack-error.ts";

const LARGEST_VIEW = 250_000;
const shared = {
  blocks: () => [],
  private_metadata: string(3000, 0),
  callback_id: string(255, 0),
  external_id: string(255, 0),
};
/** See https://docs.slack.dev/reference/views */
const RULES: Readonly<Record<ViewDefinition["type"], Rule>> = {
  modal: {
    required: { blocks: shared.blocks, title: plain(24) },
    optional: {
      ...shared,
      submit: plain(24),
      close: plain(24),
      clear_on_close: boolean,
      notify_on_close: boolean,
      submit_disabled: boolean,
    },
    closed: true,
  },
  home: { required: { blocks: shared.blocks }, optional: shared, closed: true },
};

/** Returns a valid view of this type, with ids for its blocks. Throws `view_too_large`, and `invalid_arguments` with every problem. */
export function viewFrom(value: unknown, type: ViewDefinition["type"]): ViewDefinition {
  if (JSON.stringify(value ?? null).length > LARGEST_VIEW) throw new SlackError("view_too_large");
  const problems = viewProblems(value, type);
  if (problems.length > 0) throw errorWithMessages("invalid_arguments", problems);
  const view = value as ViewDefinition;
  return { ...view, blocks: withIds(view.blocks) };
}

function viewProblems(value: unknown, type: ViewDefinition["type"]): string[] {
  if (!isObject(value)) return ["must be an object [json-pointer:/view]"];
  if (value["type"] !== type) return [`must be "${type}" [json-pointer:/view/type]`];
  const own = members(RULES[type])(value, "/view").map(([problem, at]) => `${problem} [json-pointer:${at}]`);
  const blocks = z.array(z.record(z.string(), z.unknown())).safeParse(value["blocks"]);
  if (!blocks.success) return [...own, "must be a list of blocks [json-pointer:/view/blocks]"];
  const asks =
    type === "modal" && value["submit"] === undefined && blocks.data.some((block) => block["type"] === "input");
  return [
    ...own,
    ...(asks ? ["missing required field: submit [json-pointer:/view]"] : []),
    ...blockProblems(blocks.data, type, "/view/blocks"),
  ];
}
