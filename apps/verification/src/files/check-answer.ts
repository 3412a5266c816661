import type { HostAnswer } from "./file-host.ts";
import { FileRefusedError } from "./file-refusal.ts";
import { isTextType, mediaTypeOf } from "./media-type.ts";

/** What a host says when it does not know the type, or does not want it to be interpreted. */
const neutralTypes: ReadonlySet<string> = new Set(["application/octet-stream", "binary/octet-stream"]);

/**
 * Checks what the file host answered, before any of its body is read. Gives the length that it announces, if any. Slack answers
 * with a sign-in page, and status 200, when the app may not read the file.
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
