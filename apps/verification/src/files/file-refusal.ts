/**
 * Why a file is not given out: HTTP status, and a sentence that the execution zone may show to the person. `slack_…` is what Slack's
 * file host did wrong.
 */
export const fileRefusals = {
  method: { status: 405, message: "Files are read by GET." },
  unauthorized: { status: 401, message: "The files of this message can no longer be read." },
  unknown_file: { status: 404, message: "That file did not come with the message." },
  not_shared: { status: 404, message: "It is not shared in this conversation (any more)." },
  external: { status: 403, message: "It is kept outside of Slack, where I may not go." },
  no_contents: { status: 404, message: "Slack has no contents of it." },
  type_not_allowed: { status: 415, message: "Files of this type may not be read here." },
  too_large: { status: 413, message: "It is larger than what may be read here." },
  too_many: { status: 429, message: "Files were read too often for one question." },
  busy: { status: 503, message: "Too many files are being read right now. Please try again in a moment." },
  slack_unavailable: { status: 502, message: "Slack did not give it out. Please try again in a moment." },
  slack_refused: { status: 502, message: "Slack refused to give it out. Please tell the people who run this service." },
  slack_signed_out: {
    status: 502,
    message: "Slack asked to sign in. Please tell the people who run this service: the app may lack `files:read`.",
  },
  slack_redirected: { status: 502, message: "Slack sent me elsewhere for it, where I may not go." },
  slack_elsewhere: { status: 502, message: "It is not at the place where Slack keeps files." },
  slack_wrong_type: { status: 502, message: "Its contents are not what its type says." },
  timeout: { status: 504, message: "It took too long to get it from Slack." },
  internal: { status: 500, message: "Something went wrong while it was read." },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type FileRefusal = keyof typeof fileRefusals;

/** A file that is not given out. `cause` is for the log. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly reason: FileRefusal;

  constructor(reason: FileRefusal, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}
