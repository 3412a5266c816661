/** A parsed line of a zone's log. */
export type LogLine = Record<string, unknown>;
