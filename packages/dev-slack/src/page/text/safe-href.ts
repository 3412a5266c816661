const allowed = new Set(["http:", "https:", "mailto:"]);

/**
 * Decides which link targets of a message may become a real link: absolute `http`, `https` and `mailto` only.
 * Returns the normalised address, or nothing for every other scheme (`javascript:`, `data:`, …) and for what is no
 * URL. The URL parser decides, not a pattern: it drops tabs and newlines inside a scheme exactly as a browser does.
 */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target);
  return url && allowed.has(url.protocol) ? url.href : undefined;
}
