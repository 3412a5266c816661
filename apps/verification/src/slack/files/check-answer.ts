import type { HostAnswer } from "./file-host.ts";
import { FileRefusedError } from "./file-refusal.ts";
import { isTextType, mediaTypeOf } from "./media-type.ts";

/** Types that a host uses for unknown content, or for content that clients must not interpret. */
const neutralTypes: ReadonlySet<string> = new Set(["application/octet-stream", "binary/octet-stream"]);

/**
 * Checks the file host's response headers before its body is read. Returns the announced length, if any. Throws a `FileRefusedError`. Slack
 * responds with a sign-in page and status 200 when the app cannot read the file.
 */
export function checkAnswer(
  { status, headers }: HostAnswer,
  { type, maxBytes }: { readonly type: string; readonly maxBytes: number },
): { readonly length?: number } {
  if (status >= 300 && status < 400) throw new FileRefusedError("slack_redirected");
  if (status === 404 || status === 410) throw new FileRefusedError("no_contents");
  if (status === 429 || status >= 500) throw new FileRefusedError("slack_unavailable");
  if (status !== 200) throw new FileRefusedError("slack_refused");
  const answered = mediaTypeOf(headers["content-type"]);
  if (answered === "text/html") throw new FileRefusedError("slack_signed_out");
  const encoding = headers["content-encoding"] ?? "identity";
  const fits = answered === type || neutralTypes.has(answered) || (isTextType(type) && isTextType(answered));
  if (!fits || encoding !== "identity") throw new FileRefusedError("slack_wrong_type");
  const announced = headers["content-length"];
  if (announced === undefined) return {};
  if (Number(announced) > maxBytes) throw new FileRefusedError("too_large");
  return { length: Number(announced) };
}
