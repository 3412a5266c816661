import type { SlackFileInfo } from "../slack-api.ts";
import { FileRefusedError } from "./file-refusal.ts";
import { mediaTypeOf } from "./media-type.ts";

export interface FileRules {
  /** Slack's file host, the only origin that files are fetched from. */
  readonly origin: string;
  /** Allowed media types: `text/csv`, or `text/*` for a whole kind. */
  readonly types: readonly string[];
  /** Bytes. */
  readonly maxBytes: number;
}

/** Returns true if a list such as `text/csv`, `image/*` includes a media type. */
export function isAllowedType(type: string, types: readonly string[]): boolean {
  return types.some((allowed) => allowed === type || allowed === `${type.split("/", 1)[0]}/*`);
}

/**
 * Decides from Slack's metadata whether a file can be read in a channel. Returns its path and type; throws a `FileRefusedError`. The URL is
 * untrusted: the person who added a remote file may have chosen it.
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
