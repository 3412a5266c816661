import { createHmac, hash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What a request has to be signed with. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** With temporary credentials: has to come along, signed. */
  readonly sessionToken?: string;
}

export interface Scope {
  readonly credentials: AwsCredentials;
  readonly region: string;
  readonly service: string;
  /** Unix milliseconds. */
  readonly now: number;
}

/** AWS's name and message for an invalid signature. */
interface SignatureProblem {
  readonly name: string;
  readonly message: string;
}

const longestSkewMs = 5 * 60_000;
const authorizationForm =
  /^AWS4-HMAC-SHA256 Credential=([^/\s]+)\/(\d{8})\/([^/\s]+)\/([^/\s]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

/**
 * Checks a request as AWS does: computes Signature Version 4 again from the bytes that came. Written from the specification, not
 * with AWS's own library, so that both must agree. Returns the problem, or nothing.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
export function signatureProblem(
  request: Pick<IncomingMessage, "method" | "url" | "headers">,
  body: Uint8Array,
  { credentials, region, service, now }: Scope,
): SignatureProblem | undefined {
  const { headers } = request;
  if (headers.authorization === undefined)
    return { name: "MissingAuthenticationTokenException", message: "Missing Authentication Token" };
  const [, key, day, scopeRegion, scopeService, signedList = "", given = ""] =
    authorizationForm.exec(headers.authorization) ?? [];
  const amzDate = String(headers["x-amz-date"] ?? "");
  if (key === undefined || !/^\d{8}T\d{6}Z$/.test(amzDate))
    return { name: "IncompleteSignatureException", message: "The request signature does not conform to AWS standards" };
  if (key !== credentials.accessKeyId)
    return { name: "UnrecognizedClientException", message: "The security token included in the request is invalid" };
  if (headers["x-amz-security-token"] !== credentials.sessionToken)
    return { name: "UnrecognizedClientException", message: "The security token included in the request is invalid" };
  if (Math.abs(now - readAmzDate(amzDate)) > longestSkewMs)
    return { name: "InvalidSignatureException", message: `Signature expired: ${amzDate} is not near the current time` };
  if (scopeRegion !== region || scopeService !== service || day !== amzDate.slice(0, 8))
    return { name: "InvalidSignatureException", message: "Credential should be scoped to a valid region and service" };

  const signed = signedList.split(";");
  const mustBeSigned = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-amz"));
  const unsigned = mustBeSigned.filter((name) => name !== "x-amzn-trace-id" && !signed.includes(name));
  if (unsigned.length > 0 || signed.some((name) => headers[name] === undefined))
    return { name: "InvalidSignatureException", message: `not signed: ${unsigned.join(", ")}` };
  const bodyHash = sha256(body);
  if ((headers["x-amz-content-sha256"] ?? bodyHash) !== bodyHash)
    return { name: "InvalidSignatureException", message: "The body is not the one that was signed" };

  const canonical = canonicalRequest(request, signed, bodyHash);
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = `AWS4-HMAC-SHA256\n${amzDate}\n${scope}\n${sha256(canonical)}`;
  const signingKey = [day ?? "", region, service, "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${credentials.secretAccessKey}`,
  );
  if (timingSafeEqual(hmac(signingKey, toSign), Buffer.from(given, "hex"))) return undefined;
  // AWS sends the same text: its errors contain the signed request, including the session token.
  const message = `The request signature we calculated does not match the signature you provided.\n\nThe Canonical String for this request should have been\n'${canonical}'`;
  return { name: "InvalidSignatureException", message };
}

function canonicalRequest(
  { method = "", url = "", headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
  signed: readonly string[],
  bodyHash: string,
): string {
  const [path = "", query = ""] = url.split("?", 2);
  // Every service but S3 encodes the path twice: once for the wire, once for the signature.
  const canonicalPath = path.split("/").map(encode).join("/");
  const canonicalQuery = [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const values = signed.map((name) => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, " ")}\n`).join("");
  return [method, canonicalPath, canonicalQuery, values, signed.join(";"), bodyHash].join("\n");
}

function readAmzDate(text: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Percent-encoding of RFC 3986: all but letters, digits, `-`, `.`, `_` and `~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const sha256 = (data: string | Uint8Array): string => hash("sha256", data);
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();
