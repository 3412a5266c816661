import type { RefusalRow } from "@crosszone/service-kit";

/**
 * Why a file is not served: the HTTP status, and advice that execution may show to the requester. `slack_…` reasons are faults of
 * Slack's file host.
 */
export const fileRefusals = {
  method_not_allowed: { status: 405, advice: "Use GET to read files." },
  unauthorized: { status: 401, advice: "The files of this message can no longer be read." },
  unknown_file: { status: 404, advice: "It is not a file of the message or its thread." },
  not_shared: { status: 404, advice: "It is not, or no longer, shared in this conversation." },
  external: { status: 403, advice: "It is stored outside Slack, where I can't read it." },
  deleted: { status: 404, advice: "It was deleted." },
  hidden: { status: 403, advice: "Slack hides it, because the workspace has reached a limit of its plan." },
  canvas: { status: 415, advice: "It is a canvas, which I can't read." },
  list: { status: 415, advice: "It is a list, which I can't read." },
  not_transcribed: { status: 503, advice: "Slack has not transcribed it yet. Please try again in a moment." },
  no_contents: { status: 404, advice: "Slack has no contents of it." },
  type_not_allowed: { status: 415, advice: "Files of this type are not allowed here." },
  too_large: { status: 413, advice: "It is larger than the limit for files here." },
  too_many: { status: 429, advice: "The limit of file reads for one question is reached." },
  busy: { status: 503, advice: "Too many files are being read right now. Please try again in a moment." },
  slack_unavailable: { status: 502, advice: "Slack did not return it. Please try again in a moment." },
  slack_refused: { status: 502, advice: "Slack refused access to it. Please tell the people who run this service." },
  slack_signed_out: {
    status: 502,
    advice:
      "Slack asked me to sign in. Please tell the people who run this service that the app may lack `files:read`.",
  },
  slack_redirected: { status: 502, advice: "Slack redirected me to an address that is not allowed." },
  slack_elsewhere: { status: 502, advice: "It is not on Slack's file host." },
  slack_wrong_type: { status: 502, advice: "Its contents do not match its type." },
  timeout: { status: 504, advice: "Reading it from Slack took too long." },
  zone_unavailable: { status: 503, advice: "This service can't work right now. Please try again in a moment." },
  internal: { status: 500, advice: "Something went wrong while I was reading it." },
} as const satisfies Record<string, RefusalRow>;

export type FileRefusal = keyof typeof fileRefusals;

/** Thrown for a file that is not served. `cause` is for the log. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
