import { badBehaviour } from "./bad-behaviour.ts";
import { badResponses } from "./bad-responses.ts";
import type { KnownBad } from "./known-bad-agent.ts";

export const knownBad: readonly KnownBad[] = [...badResponses, ...badBehaviour];
