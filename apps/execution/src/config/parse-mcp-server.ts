import { isSecretReference } from "@crosszone/agent-bridge";

/** A server of MCP_SERVERS. */
export interface NamedMcpServer {
  readonly name: string;
  readonly url: string;
}

/**
 * Parses `name=URL`. Undefined for other text, for a name with characters other than letters, digits and `-`, and for a
 * URL with a user or password.
 */
export function parseMcpServer(text: string): NamedMcpServer | undefined {
  const [, name = "", address = ""] = /^([A-Za-z][A-Za-z\d-]{0,31})\s*=\s*(.+)$/.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return { name, url: address };
}

/** The place of a server's token. */
export interface McpToken {
  readonly server: string;
  /** `env:AGENT_SECRET_…` or `file:…`. */
  readonly reference: string;
}

/** Parses `name=env:AGENT_SECRET_…` or `name=file:…`. Undefined for other text. */
export function parseMcpToken(text: string): McpToken | undefined {
  const [, server = "", reference = ""] = /^([^=\s]+)\s*=\s*(.+)$/.exec(text) ?? [];
  return isSecretReference(reference) ? { server, reference } : undefined;
}
