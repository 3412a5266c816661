/** Advice for temporary failures. */
export const againSoon = "Please try again in a moment.";
