import { hash } from "node:crypto";

/**
 * The Merkle tree of RFC 6962, which RFC 9162 keeps: https://www.rfc-editor.org/rfc/rfc9162#section-2.1. Hashes are 32 bytes of SHA-256.
 */
export type Hash = Buffer;

/** The numbers keep a leaf from passing for a node. */
const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)];

/** Returns the hash of a leaf. */
export const hashLeaf = (data: string | Uint8Array): Hash =>
  hash("sha256", Buffer.concat([leafPrefix, Buffer.from(data)]), "buffer");

export const hashNode = (left: Hash, right: Hash): Hash =>
  hash("sha256", Buffer.concat([nodePrefix, left, right]), "buffer");
