/** Why a door does not serve a request. */
export interface RefusalRow {
  readonly status: number;
  /** What the sender can do: the beginning of a sentence, in small letters. */
  readonly advice: string;
}

/** The refusals of every door. A door adds those of what only it serves. */
export const refusalKinds = {
  unauthorized: { status: 401, advice: "the credentials are not valid" },
  missing_scope: { status: 403, advice: "the token lacks the scope" },
  not_found: { status: 404, advice: "nothing is served here" },
  method_not_allowed: { status: 405, advice: "send the request by another method" },
  too_large: { status: 413, advice: "the body is larger than this server accepts" },
  content_type: { status: 415, advice: "send application/json in UTF-8, not compressed" },
  too_many: { status: 429, advice: "too many requests; wait a little" },
  busy: { status: 429, advice: "other requests are being received; send it again" },
  internal: { status: 500, advice: "look for the correlation id in the log" },
} as const satisfies Record<string, RefusalRow>;

export type RefusalKind = keyof typeof refusalKinds;

/** What one refusal says besides its kind. */
export interface RefusalDetail {
  /** What the sender can do, instead of the advice of the kind. */
  readonly message?: string | undefined;
  /** Why exactly, for the log and metrics alone: one of a few fixed texts. The kind when absent. */
  readonly reason?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly problems?: readonly { readonly pointer: string; readonly message: string }[] | undefined;
  /** The actor of credentials that are no longer valid. For the log only. */
  readonly by?: string | undefined;
  /** The error in this zone, when the sender is not at fault. For the log only. */
  readonly cause?: unknown;
}

/** A request that is not served. Whoever writes the answer decides on its form alone. */
export interface Refusal extends RefusalDetail {
  readonly kind: string;
  readonly status: number;
  /** The kind in a few words, where a protocol says it. */
  readonly title?: string;
  readonly message: string;
}

/** Returns a function that makes the refusals of a door: those of every door, and its own rows, which may replace some. */
export function refusalsOf<Kind extends string>(rows: Readonly<Record<Kind, RefusalRow>>) {
  const all: Readonly<Record<string, RefusalRow>> = { ...refusalKinds, ...rows };
  return (kind: Kind | RefusalKind, detail: RefusalDetail = {}): Refusal => {
    const { status, advice } = all[kind] as RefusalRow;
    return { ...detail, kind, status, message: detail.message ?? advice };
  };
}

/** Makes a refusal that every door has. */
export const refusal = refusalsOf({});

/** A refusal that is thrown. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(given: Refusal) {
    super(given.message, { cause: given.cause });
    this.name = new.target.name;
    this.refusal = given;
  }
}
