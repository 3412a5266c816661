import type { InputAction, InputRequest } from "@crosszone/contracts";
import { showUnseen } from "@crosszone/service-kit/text";
import type { ActionsBlockElement, Button, ContextBlock, KnownBlock, RichTextBlock } from "@slack/web-api";
import { composeAnswer } from "../markdown/compose-answer.ts";
import { oneLine, plain } from "../markdown/neutralise.ts";
import { button, handleText, type InputVerb, longestLabel } from "../presses/handles.ts";
import { approvalsMissing, askedByText, type CardSetting, decidersText, waitingText } from "./people-text.ts";
import { endingText, outcomeText, voteLines } from "./receipt.ts";

/** A message about an input request. `text` is its notification. */
export interface InputCard {
  readonly text: string;
  readonly blocks: readonly KnownBlock[];
}

/** Characters of a section. */
const longestSection = 3_000;
/** Blocks of code in the card; further arguments are in a modal. */
const mostPieces = 3;
/** More options become a menu. */
const mostButtons = 5;
/** Characters of one block of code. */
const longestCode = 2_500;
/** Arguments with more characters are folded. */
const foldedFrom = 600;

const section = (text: string): KnownBlock => ({ type: "section", text: { type: "mrkdwn", text } });
const context = (text: string): ContextBlock => ({ type: "context", elements: [{ type: "mrkdwn", text }] });

/**
 * Returns the message that shows a request: who asks what, the exact action, who can decide until when, and the buttons; once it is closed, the
 * receipt. Texts of agents send no notification, and have no formatting outside the body. A posted card notifies only its approvers.
 */
export function inputCard(request: InputRequest, place: CardSetting = { inThread: true }): InputCard {
  const { state, title, body, action } = request;
  const isOpen = state === "open";
  const askedBy = `Requested by ${askedByText(request, place)}`;
  const lines = [askedBy, isOpen ? waitingLine(request) : outcomeText(request)];
  const votes = voteLines(request).join("\n").slice(0, longestSection);
  const blocks: KnownBlock[] = [
    { type: "header", text: plain(title, 150) },
    ...(body === undefined ? [] : [{ type: "markdown" as const, text: composeAnswer(body, new Set()).parts[0] ?? "" }]),
    ...(action === undefined ? [] : actionBlocks(action)),
    section(lines.join("\n").slice(0, longestSection)),
    ...(votes === "" ? [] : [context(votes)]),
    ...(isOpen ? [{ type: "actions" as const, elements: controls(request) }] : []),
  ];
  const text = oneLine(isOpen ? `Needs a decision: ${title}` : `${endingText(request)}: ${title}`, 200);
  return { text: plainNotice(text), blocks: numbered(blocks, request) };
}

/** Returns the line in the thread for a request that only those who can decide see. */
export function neutralCard(request: InputRequest, deciders: string): InputCard {
  const text =
    request.state === "open"
      ? `${waitingText(request, `${deciders} in a direct message`)}.`
      : `${outcomeText({ ...request, votes: request.votes.map((vote) => ({ ...vote, reason: undefined })) })}.`;
  return { text, blocks: numbered([section(text)], request) };
}

/** Slack reads a notification as mrkdwn. */
const plainNotice = (text: string): string => text.replaceAll(/[&<>]/g, " ");

/** Slack keeps what people entered in a block with the same id, so each version has its own. */
function numbered(blocks: readonly KnownBlock[], { version, reminders = 0 }: InputRequest): KnownBlock[] {
  return blocks.map((block, at) => ({ ...block, block_id: `v${version}.${reminders}.${at}` }));
}

function actionBlocks(action: NonNullable<InputRequest["action"]>): KnownBlock[] {
  const pieces = argumentPieces(action);
  const shown = pieces.length > mostPieces ? pieces.slice(0, 1) : pieces;
  const isCut = shown.length < pieces.length;
  const note = isCut ? "This is only the beginning of the arguments. “Show all” has the rest.\n" : "";
  return [
    {
      type: "container",
      title: plain(`${action.agent} runs ${action.tool}`, 150),
      child_blocks: [...shown.map(codeBlock), context(`${note}SHA-256 \`${action.digest}\``)],
      is_collapsible: true,
      default_collapsed: shown.join("").length > foldedFrom,
    },
  ];
}

/** Returns the arguments of an action as JSON in pieces, whole, with characters that people can't see as escapes. */
export function argumentPieces({ arguments: given }: Pick<InputAction, "arguments">): readonly string[] {
  const json = JSON.stringify(given, null, 2) ?? "null";
  return showUnseen(json).match(new RegExp(`.{1,${longestCode}}`, "gsu")) ?? [];
}

/** Returns a block that shows text as code, literally: Slack finds no mention, link or mark in it. */
export function codeBlock(text: string): RichTextBlock {
  return { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text }] }] };
}

function waitingLine(request: InputRequest): string {
  const { kind, decide } = request;
  const missing = approvalsMissing(request);
  const count = kind === "approve" && decide.approve > 1 ? ` · ${missing} of ${decide.approve} approvals missing` : "";
  return `${waitingText(request, decidersText(request))}${count}`;
}

function controls(request: InputRequest): ActionsBlockElement[] {
  const { kind, options = [], action } = request;
  const control = (verb: InputVerb, text: string, more: Parameters<typeof button>[2] = {}): Button =>
    button(
      text,
      { of: "input", verb, id: request.request_id },
      { value: action?.digest ?? request.request_id, ...more },
    );
  const deny = control("deny", kind === "approve" ? "Deny" : "Decline", kind === "approve" ? { style: "danger" } : {});
  if (kind === "text" || kind === "form") return [control("open", "Answer", { style: "primary" }), deny];
  if (kind === "approve") {
    const isLong = action !== undefined && argumentPieces(action).length > mostPieces;
    return [
      control("approve", "Approve", { style: "primary" }),
      deny,
      ...(isLong ? [control("show", "Show all")] : []),
    ];
  }
  if (options.length <= mostButtons)
    return [
      ...options.map(({ value, label, style }, nth) =>
        control("choose", label, { value, nth, ...(style && { style }) }),
      ),
      deny,
    ];
  const action_id = handleText({ of: "input", verb: "choose", id: request.request_id });
  const items = options.map(({ value, label }) => ({ text: plain(label, longestLabel), value }));
  return [{ type: "static_select", action_id, placeholder: plain("Choose", longestLabel), options: items }, deny];
}
