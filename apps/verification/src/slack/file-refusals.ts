/**
 * Why a file is not served: the HTTP status, and a message that execution may show to the requester. `slack_…` reasons are faults of
 * Slack's file host.
 */
export const fileRefusals = {
  method: { status: 405, message: "Use GET to read files." },
  unauthorized: { status: 401, message: "The files of this message can no longer be read." },
  unknown_file: { status: 404, message: "It is not a file of the message or its thread." },
  not_shared: { status: 404, message: "It is not, or no longer, shared in this conversation." },
  external: { status: 403, message: "It is stored outside Slack, where I can't read it." },
  deleted: { status: 404, message: "It was deleted." },
  hidden: { status: 403, message: "Slack hides it, because the workspace has reached a limit of its plan." },
  canvas: { status: 415, message: "It is a canvas, which I can't read." },
  list: { status: 415, message: "It is a list, which I can't read." },
  not_transcribed: { status: 503, message: "Slack has not transcribed it yet. Please try again in a moment." },
  no_contents: { status: 404, message: "Slack has no contents of it." },
  type_not_allowed: { status: 415, message: "Files of this type are not allowed here." },
  too_large: { status: 413, message: "It is larger than the limit for files here." },
  too_many: { status: 429, message: "The limit of file reads for one question is reached." },
  busy: { status: 503, message: "Too many files are being read right now. Please try again in a moment." },
  slack_unavailable: { status: 502, message: "Slack did not return it. Please try again in a moment." },
  slack_refused: { status: 502, message: "Slack refused access to it. Please tell the people who run this service." },
  slack_signed_out: {
    status: 502,
    message:
      "Slack asked me to sign in. Please tell the people who run this service that the app may lack `files:read`.",
  },
  slack_redirected: { status: 502, message: "Slack redirected me to an address that is not allowed." },
  slack_elsewhere: { status: 502, message: "It is not on Slack's file host." },
  slack_wrong_type: { status: 502, message: "Its contents do not match its type." },
  timeout: { status: 504, message: "Reading it from Slack took too long." },
  internal: { status: 500, message: "Something went wrong while I was reading it." },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

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
