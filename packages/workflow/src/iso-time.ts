/** RFC 3339, from Unix milliseconds. */
export const isoTime = (at: number): string => new Date(at).toISOString();
