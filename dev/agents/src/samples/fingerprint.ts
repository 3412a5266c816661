import { hash } from "node:crypto";
import type { SampleAgent } from "./sample-agent.ts";

/** Uses the older protocol, which has neither long-running tasks nor a card. */
export const fingerprint: SampleAgent = {
  name: "fingerprint",
  description: "Sample agent: the SHA-256 fingerprint of a text, to compare two texts by.",
  protocol: "simple-a2a",
  skills: [],
  example: "the quick brown fox",
  takesTime: false,
  work: (text) => `SHA-256 of ${Buffer.byteLength(text)} bytes: \`${hash("sha256", text)}\``,
};
