import type { ByProtocol } from "../run/check.ts";

/** A section of the A2A 1.0 specification. */
const v1 = (anchor: string): string => `https://a2a-protocol.org/v1.0.0/specification/#${anchor}`;

/** A section of the A2A 0.3 specification. */
const v03 = (anchor: string): string => `https://a2a-protocol.org/v0.3.0/specification/#${anchor}`;

const ours = "https://github.com/crosszone/crosszone/blob/main/docs/agents.md";

/** A rule that both versions of A2A have. */
export const a2a = (anchor1: string, anchor03: string): ByProtocol<string> => ({
  "a2a-1.0": v1(anchor1),
  "jsonrpc-2.0": v03(anchor03),
});

/** A rule of A2A 1.0 only. */
export const a2a1 = (anchor: string): ByProtocol<string> => ({ "a2a-1.0": v1(anchor) });

/** A rule of A2A 0.3 only. */
export const a2a03 = (anchor: string): ByProtocol<string> => ({ "jsonrpc-2.0": v03(anchor) });

const both = (url: string): ByProtocol<string> => ({ "a2a-1.0": url, "jsonrpc-2.0": url });

/** A rule of JSON-RPC 2.0, on which both versions are built. */
export const jsonRpc = (anchor: string): ByProtocol<string> => both(`https://www.jsonrpc.org/specification#${anchor}`);

/** What Crosszone expects beyond the specifications: the source of a hint. */
export const crosszone = (anchor: string): ByProtocol<string> => both(`${ours}#${anchor}`);

/** What Crosszone expects beyond A2A 0.3 only. */
export const crosszone03 = (anchor: string): ByProtocol<string> => ({ "jsonrpc-2.0": `${ours}#${anchor}` });

export const simple: ByProtocol<string> = { "simple-a2a": `${ours}#simple-a2a` };
