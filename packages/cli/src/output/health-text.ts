import type { AgentHealth } from "@crosszone/contracts";
import { harmlessLine } from "./harmless.ts";

/** What a probe of an agent found, a line each: its state, what its card says, and the problem with what to do. */
export function healthText({ status, card, problem, duration_ms }: AgentHealth): string {
  const lines = [`It is ${status} (${duration_ms} ms).`];
  if (card) lines.push(`Card: ${[textOf(card["name"]), ...versionsOf(card)].filter(Boolean).join(", ")}`);
  if (problem !== undefined) lines.push(`Problem: ${problem}`);
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function versionsOf(card: NonNullable<AgentHealth["card"]>): string[] {
  const { supportedInterfaces, protocolVersion } = card;
  const versions = Array.isArray(supportedInterfaces)
    ? supportedInterfaces.map((each: { readonly protocolVersion?: unknown } | null) => each?.protocolVersion)
    : [protocolVersion];
  return [...new Set(versions.map(textOf).filter(Boolean))].map((version) => `A2A ${version}`);
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
