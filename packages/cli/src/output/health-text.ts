import type { AgentHealth } from "@crosszone/contracts";
import { harmlessLine } from "./harmless.ts";

/** Returns the result of an agent probe, one fact a line: state, card, and the problem with its fix. */
export function healthText({ status, card, problem, duration_ms }: AgentHealth): string {
  const lines = [`It is ${status} (${duration_ms} ms).`];
  if (card) lines.push(`Card: ${[textOf(card["name"]), ...versionsOf(card)].filter(Boolean).join(", ")}`);
  if (problem !== undefined) lines.push(`Problem: ${problem}`);
  return `${lines.map(harmlessLine).join("\n")}\n`;
}

function versionsOf(card: NonNullable<AgentHealth["card"]>): string[] {
  const { supportedInterfaces, protocolVersion } = card;
  const versions = Array.isArray(supportedInterfaces)
    ? supportedInterfaces.filter(isOfA2A).map((each) => each?.protocolVersion)
    : [protocolVersion];
  return [...new Set(versions.map(textOf).filter(Boolean))].map((version) => `A2A ${version}`);
}

interface NamedInterface {
  readonly protocolBinding?: unknown;
  readonly protocolVersion?: unknown;
}

/** Whether A2A defines the binding. Any other binding is a URI, and its version is not a version of A2A. */
const isOfA2A = (each: NamedInterface | null): boolean => !textOf(each?.protocolBinding).includes(":");

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
