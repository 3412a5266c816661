/** Advice for temporary failures. */
export const tryAgainSoon = "Please try again in a moment.";
