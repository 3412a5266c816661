import type { SlackFileInfo } from "../slack/slack-api.ts";
import { FileRefusedError } from "./file-refusal.ts";
import { mediaTypeOf } from "./media-type.ts";

export interface FileRules {
  /** Where Slack keeps files: the only place that they are fetched from. */
  readonly origin: string;
  /** Media types that may be read: `text/csv`, or `text/*` for all of a kind. */
  readonly types: readonly string[];
  /** Bytes. */
  readonly maxBytes: number;
}

/** Whether a media type is in a list such as `text/csv`, `image/*`. */
export function isAllowedType(type: string, types: readonly string[]): boolean {
  return types.some((allowed) => allowed === type || allowed === `${type.split("/", 1)[0]}/*`);
}

/**
 * Decides by what Slack itself says of a file whether it may be read in a channel. Gives the path and the type; throws a
 * `FileRefusedError`. A URL of Slack's may have been written by whoever added a remote file.
 */
export function judgeFile(
  file: SlackFileInfo,
  channel: string,
  { origin, types, maxBytes }: FileRules,
): { readonly path: string; readonly type: string } {
  if (!file.shared_in.includes(channel)) throw new FileRefusedError("not_shared");
  if (file.external) throw new FileRefusedError("external");
  if (file.url === undefined) throw new FileRefusedError("no_contents");
  const url = URL.parse(file.url);
  if (url?.origin !== origin || url.username !== "" || url.password !== "")
    throw new FileRefusedError("slack_elsewhere");
  const type = mediaTypeOf(file.mime_type);
  if (!isAllowedType(type, types)) throw new FileRefusedError("type_not_allowed");
  if (file.size !== undefined && file.size > maxBytes) throw new FileRefusedError("too_large");
  return { path: `${url.pathname}${url.search}`, type };
}
