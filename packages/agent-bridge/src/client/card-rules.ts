import { type CardKey, CardSignatureError, verifyCard, type VerifyCardOptions } from "@crosszone/a2a/signatures";
import { canonicalJson, isObject } from "@crosszone/service-kit/json";
import { AgentFailure } from "../protocol/agent-failure.ts";
import { failureOfStatus, type AgentReply } from "../protocol/protocol-adapter.ts";
import { parseCard } from "./agent-card.ts";
import type { AgentRequest } from "./agent-client.ts";

/** Decides which agent cards are trusted, by their signatures. */
export interface CardRules {
  readonly mode: VerifyCardOptions["mode"];
  /** Replaces the trusted keys. */
  readonly trust: (keys: readonly CardKey[]) => void;
  /** Returns the response to a request for a card with only what is trusted. Rejects with an `AgentFailure` `card_refused`. */
  readonly check: (request: AgentRequest, fetched: Promise<AgentReply>) => Promise<AgentReply>;
}

/** The most bytes of a card whose signatures are verified. It is written in up to three forms, which costs more than reading it. */
const mostSignedBytes = 262_144;

export function createCardRules(mode: CardRules["mode"]): CardRules {
  let keys: readonly CardKey[] = [];
  return {
    mode,
    trust: (trusted) => {
      keys = trusted;
    },
    check: async ({ agent: { name } }, fetched) => {
      if (mode === "off") return fetched;
      const isRequired = mode === "require";
      const reply = await fetched.catch((error: unknown) => {
        if (isRequired && error instanceof AgentFailure) throw refused(name, "it could not be fetched", error);
        throw error;
      });
      const card = reply.status === 200 ? parseCard(reply.body) : undefined;
      if (!isObject(card)) {
        if (isRequired) throw refused(name, "there is none", failureOfStatus(reply));
        return reply;
      }
      const { length } = reply.body;
      if (length > mostSignedBytes && (isRequired || card["signatures"] !== undefined))
        throw refused(name, `it has ${length} bytes, and a signed card can have ${mostSignedBytes}`);
      try {
        const trusted = await verifyCard(card, { mode, keys, now: Date.now(), canonicalJson });
        return trusted === card ? reply : { ...reply, body: Buffer.from(JSON.stringify(trusted)) };
      } catch (error) {
        if (error instanceof CardSignatureError) throw refused(name, error.message);
        throw error;
      }
    },
  };
}

function refused(name: string, why: string, cause?: AgentFailure): AgentFailure {
  const advice = "Sign the card with a key of card_keys in AGENTS_FILE, or add its key there";
  const message = `The card of the agent ${JSON.stringify(name)} is not trusted: ${why}. ${advice}.`;
  return new AgentFailure("card_refused", message, { cause, retryable: cause?.retryable ?? false });
}
