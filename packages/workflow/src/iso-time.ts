/** Formats Unix milliseconds as RFC 3339. */
export const isoTime = (at: number): string => new Date(at).toISOString();
