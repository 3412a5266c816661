/** Signatures of agent cards: JWS over the canonical JSON of a card. */
export { canonicalCard } from "./signatures/canonical-card.ts";
export { type CardKey, isCardKey } from "./signatures/card-keys.ts";
export { signCard, type SignCardOptions } from "./signatures/sign-card.ts";
export { CardSignatureError, verifyCard, type VerifyCardOptions } from "./signatures/verify-card.ts";
