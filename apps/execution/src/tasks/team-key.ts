import { hash } from "node:crypto";

/** Under what the data of a team is found: an id may be anything that a caller says. */
export const teamKey = (teamId: string): string => hash("sha256", teamId, "base64url");
