/** What a person can do about what passes by itself. */
export const againSoon = "Please try again in a moment.";
