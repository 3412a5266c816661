import { badBehavior } from "./bad-behavior.ts";
import { badResponses } from "./bad-responses.ts";
import type { KnownBad } from "./known-bad-agent.ts";

export const knownBad: readonly KnownBad[] = [...badResponses, ...badBehavior];
