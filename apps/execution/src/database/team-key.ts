import { hash } from "node:crypto";

/** Returns the digest by which a team's data is found. Callers may send any text as team id. */
export const teamKey = (teamId: string): string => hash("sha256", teamId, "base64url");
