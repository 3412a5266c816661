/** The share of seeds, hostile bodies, SDKs and loads that a run tries: `TEST_SHARE`, by default all of them. */
export const share = Number(process.env["TEST_SHARE"] ?? 1);

/** Returns how many of `all` a run tries, at least `least`. */
export const shareOf = (all: number, least = 1): number => Math.max(least, Math.ceil(all * share));
