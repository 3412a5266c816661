import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isIPv6 } from "node:net";
import { type A2AAgentCardV1, contractVersion } from "@crosszone/contracts";
import { answer, requestIdOf } from "@crosszone/service-kit";
import type { Agent } from "../../agents/agent.ts";

/**
 * The binding URI of the zone link in an agent card. A2A requires a URI for a custom binding; clients that don't know
 * it skip the interface. https://a2a-protocol.org/v1.0.0/specification/#446-agentinterface
 */
export const zoneLinkBinding = "https://crosszone.dev/bindings/zone-link";

/**
 * Returns the agent card of the zone. `origin` is the scheme, host and port of the request; a configured URL takes precedence. Without either,
 * as within one process, the card has no interface.
 */
export type DescribeZone = (origin?: string) => A2AAgentCardV1;

/**
 * Creates the card of A2A 1.0. It declares the zone link, because the zone serves no A2A methods.
 * https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function createDescribeZone({
  version = "0.0.0",
  url,
  rpcPath,
  agents,
  scheme,
}: {
  /** Version of the zone; `0.0.0` when absent. */
  readonly version?: string;
  /** Configured URL of the zone, without `rpcPath`. */
  readonly url?: string;
  readonly rpcPath: string;
  /** The zone's own agents. Registered agents do not belong on a public card. */
  readonly agents: readonly Agent[];
  /** How callers authenticate, when A2A has a scheme for it. */
  readonly scheme: "bearer" | "mtls" | undefined;
}): DescribeZone {
  const interfaceAt = (base: string): A2AAgentCardV1["supportedInterfaces"][number] => ({
    url: base.replace(/\/+$/, "") + rpcPath,
    protocolBinding: zoneLinkBinding,
    protocolVersion: contractVersion,
  });
  const skills = agents.flatMap((agent) =>
    agent.skills.map(({ id, name, description, examples }) => {
      return { id, name, description, tags: [agent.name], examples: [...examples] };
    }),
  );
  return (origin) => {
    const base = url ?? origin;
    return {
      name: "Crosszone execution zone",
      description:
        "Runs tasks on agents. Callers use the JSON-RPC methods of the Crosszone zone link, such as execute_task. A2A methods are not served.",
      version,
      supportedInterfaces: base === undefined ? [] : [interfaceAt(base)],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      ...(scheme && security[scheme]),
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/markdown"],
      skills,
    };
  };
}

/** https://a2a-protocol.org/v1.0.0/specification/#451-securityscheme */
const security = {
  bearer: {
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  },
  mtls: {
    securitySchemes: { mtls: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { mtls: { list: [] } } }],
  },
} satisfies Record<"bearer" | "mtls", Partial<A2AAgentCardV1>>;

/** Where A2A clients look for the card of a host. https://a2a-protocol.org/v1.0.0/specification/#82-discovery-mechanisms */
export const agentCardPath = "/.well-known/agent-card.json";

/**
 * Serves `GET /.well-known/agent-card.json`, the agent card, without authentication. Shared caches may store it only if
 * its URL is configured. Otherwise the URL comes from the request, and one client could choose what others read.
 * https://a2a-protocol.org/v1.0.0/specification/#86-caching
 */
export function createCardRoute(describeZone: DescribeZone, hasConfiguredUrl: boolean) {
  const caching = `${hasConfiguredUrl ? "public" : "private"}, max-age=3600`;

  return (request: IncomingMessage, response: ServerResponse): void => {
    const body = JSON.stringify(describeZone(requestOrigin(request)));
    const etag = `"${hash("sha256", body, "base64url").slice(0, 22)}"`;
    const headers = ["etag", etag];
    if (isKnown(request.headers["if-none-match"], etag))
      response.writeHead(304, [...headers, "cache-control", caching, "x-request-id", requestIdOf(response)]).end();
    else answer(response, 200, { contentType: "application/json", body, headers, caching });
  };
}

/** Whether the client already has this version. https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return known.includes(etag) || known.includes("*");
}

/** A host name, an IPv4 address or an IPv6 address in brackets, with or without a port. */
const plainHost = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * Returns the scheme, host and port that a request was sent to, such as `http://127.0.0.1:4000`. The host is the `Host` header if that is a
 * plain host; otherwise it is the address of the socket. Forwarded headers are not read: any client can set them.
 */
export function requestOrigin({ headers, socket }: IncomingMessage): string {
  const scheme = "encrypted" in socket ? "https" : "http";
  const { host = "" } = headers;
  const named = plainHost.test(host) ? URL.parse(`${scheme}://${host}`) : null;
  if (named !== null) return named.origin;
  const { localAddress = "127.0.0.1", localPort } = socket;
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/i, "");
  return new URL(`${scheme}://${isIPv6(address) ? `[${address}]` : address}:${localPort}`).origin;
}
