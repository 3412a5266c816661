import {
  type ErrorKind,
  errorTable,
  isErrorKind,
  isZoneErrorData,
  type JsonRpcError,
  ZoneError,
  type ZoneErrorDetail,
} from "@crosszone/contracts";
import { ownProperty } from "./parse.ts";

/**
 * Converts a thrown value to an error object of the zone link: code and message from the error catalog, `data` as `ZoneErrorData`.
 * Anything but a `ZoneError` becomes `internal`, without its message, stack or cause. The inverse is `errorFromJson`.
 * https://www.jsonrpc.org/specification#error_object
 */
export function errorToJson(error: unknown, correlationId: string): JsonRpcError {
  const { kind, data } = error instanceof ZoneError ? error : internal;
  const { code, title, retryable } = errorTable[kind];
  return { code, message: title, data: { kind, retryable, correlation_id: correlationId, ...data } };
}

const internal = { kind: "internal", data: {} } as const;

/**
 * Converts an error object back to the server's error: a `ZoneError` of the same kind. `data.kind` decides if its code matches; otherwise
 * the code decides if exactly one kind has it. Any other error becomes a `LinkError` of kind `server_error` with its code and message. The
 * inverse is `errorToJson`.
 */
export function errorFromJson({ code, message, data }: JsonRpcError): ZoneError | LinkError {
  const named = ownProperty(data, "kind");
  const kind = isErrorKind(named) && errorTable[named].code === code ? named : kindOfCode(code);
  if (kind === undefined)
    return new LinkError("server_error", message, { code, retryable: ownProperty(data, "retryable") === true });
  return new ZoneError(kind, detailOf(data));
}

function kindOfCode(code: number): ErrorKind | undefined {
  const kinds = (Object.keys(errorTable) as ErrorKind[]).filter((kind) => errorTable[kind].code === code);
  return kinds.length === 1 ? kinds[0] : undefined;
}

/** Returns the known members of valid data. Members that a server adds are dropped. */
function detailOf(data: unknown): ZoneErrorDetail {
  if (!isZoneErrorData(data)) return {};
  const { correlation_id, task_id, actor, agent, retry_after_ms, problems } = data;
  const { progress, failed_run, agent_says, owner_detail } = data;
  const about = { correlation_id, task_id, actor, agent, retry_after_ms, problems };
  return { ...about, progress, failed_run, agent_says, owner_detail };
}

/**
 * Failures between client and server. `unreachable`: the message was not delivered; `timeout`: no response in time; `aborted`: the caller
 * gave up; `invalid_response`: the response breaks the contract; `server_error`: an error of unknown kind.
 */
export const linkErrorKinds = ["unreachable", "timeout", "aborted", "invalid_response", "server_error"] as const;

export type LinkErrorKind = (typeof linkErrorKinds)[number];

interface LinkErrorDetail {
  readonly cause?: unknown;
  /** JSON-RPC error code of a `server_error`. */
  readonly code?: number;
  readonly httpStatus?: number;
  /** Overrides the default of the kind. */
  readonly retryable?: boolean;
}

const retryableKinds: ReadonlySet<LinkErrorKind> = new Set(["unreachable", "timeout"]);

/** A call without a usable response. An error that the server itself reports is a `ZoneError`. */
export class LinkError extends Error {
  override readonly name = "LinkError";
  readonly kind: LinkErrorKind;
  readonly code: number | undefined;
  readonly httpStatus: number | undefined;
  /** Whether the same request, with the same id, can be sent again. Default: true for `unreachable` and `timeout`. */
  readonly retryable: boolean;

  constructor(kind: LinkErrorKind, message: string, detail: LinkErrorDetail = {}) {
    super(message, detail);
    this.kind = kind;
    this.code = detail.code;
    this.httpStatus = detail.httpStatus;
    this.retryable = detail.retryable ?? retryableKinds.has(kind);
  }
}
