import { get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { TLSSocket, type SecureContextOptions } from "node:tls";

/** The last step that a request reached: name resolution, connection, TLS, response. */
export type ProbeStep = "dns" | "tcp" | "tls" | "http";

/** The certificate of a server, trusted or not. */
export interface ProbedCertificate {
  /**
   * Absent when it is trusted. Otherwise Node's code: `CERT_HAS_EXPIRED`, `DEPTH_ZERO_SELF_SIGNED_CERT`, `ERR_TLS_CERT_ALTNAME_INVALID`.
   */
  readonly untrusted?: string;
  readonly validTo: Date;
  /** `TLSv1.3`. */
  readonly protocol: string;
}

/** The response of a server to a request without credentials. */
export interface ProbeResult {
  /** The server's connected address and port. */
  readonly address: string;
  readonly certificate?: ProbedCertificate;
  /** Absent when the certificate is not trusted, because no request was sent. */
  readonly http?: { readonly status: number; readonly contentType: string; readonly date?: Date };
  /** When the request was sent and its response received, Unix milliseconds. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** The step at which a server could not be reached, with the system's error code. */
export class ProbeError extends Error {
  override readonly name = "ProbeError";
  readonly step: ProbeStep;
  readonly code: string;

  constructor(step: ProbeStep, code: string) {
    super(`${step}: ${code}`);
    this.step = step;
    this.code = code;
  }
}

export interface ProbeOptions {
  readonly timeoutMs: number;
  /** Custom certificates: `ca` to trust, `cert` and `key` to present. */
  readonly tls?: SecureContextOptions;
}

/** Probes a server. Rejects with `ProbeError` only. */
export type Probe = (url: string, options: ProbeOptions) => Promise<ProbeResult>;

/** Sends a GET without credentials on a new connection. Follows no redirects. */
export const probe: Probe = async (url, { timeoutMs, tls = {} }) => {
  let step: ProbeStep = "dns";
  let address = "";
  let certificate: ProbedCertificate | undefined;
  const sentAt = Date.now();
  const secure = url.startsWith("https:");
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage | undefined>();
  // Trust is judged below, so that an untrusted certificate can be described.
  const options = { agent: false as const, headers: { accept: "application/json" }, rejectUnauthorized: false, ...tls };
  const request = (secure ? httpsGet : httpGet)(url, options, resolve);
  request.once("error", reject);
  request.once("socket", (socket) => {
    socket.once("lookup", (error) => (step = error ? "dns" : "tcp"));
    socket.once("connect", () => {
      step = secure ? "tls" : "http";
      address = `${socket.remoteAddress ?? "?"}:${socket.remotePort ?? "?"}`;
    });
    socket.once("secureConnect", () => {
      step = "http";
      if (!(socket instanceof TLSSocket)) return;
      certificate = certificateOf(socket);
      if (certificate.untrusted !== undefined) resolve(undefined);
    });
  });
  const timer = setTimeout(() => reject(Object.assign(new Error("timeout"), { code: "TIMEOUT" })), timeoutMs);
  try {
    const response = await promise;
    const receivedAt = Date.now();
    return {
      address,
      ...(certificate && { certificate }),
      ...(response && { http: answerOf(response) }),
      sentAt,
      receivedAt,
    };
  } catch (error) {
    const { code = "FAILED" } = error as NodeJS.ErrnoException;
    throw new ProbeError(stepOf(step, code), code);
  } finally {
    clearTimeout(timer);
    request.on("error", () => undefined).destroy();
  }
};

/** An IP address is not resolved, so its step is never `dns`. */
function stepOf(step: ProbeStep, code: string): ProbeStep {
  return step === "dns" && !/^(ENOTFOUND|EAI_|TIMEOUT)/.test(code) ? "tcp" : step;
}

function certificateOf(socket: TLSSocket): ProbedCertificate {
  const { authorized, authorizationError } = socket;
  const error = authorizationError as (Error & { code?: string }) | string | undefined;
  const untrusted = typeof error === "string" ? error : (error?.code ?? "UNTRUSTED");
  return {
    ...(!authorized && { untrusted }),
    validTo: new Date(socket.getPeerCertificate().valid_to),
    protocol: socket.getProtocol() ?? "TLS",
  };
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): NonNullable<ProbeResult["http"]> {
  const date = new Date(headers.date ?? Number.NaN);
  return {
    status: statusCode,
    contentType: headers["content-type"] ?? "",
    ...(!Number.isNaN(date.getTime()) && { date }),
  };
}
