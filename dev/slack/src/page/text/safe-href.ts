const allowed = new Set(["http:", "https:", "mailto:"]);

/**
 * Returns the normalised address if a link target is allowed: absolute `http`, `https` and `mailto` only. Returns undefined for every other
 * scheme (`javascript:`, `data:`, …) and for invalid URLs. The URL parser decides, not a pattern: it drops tabs and newlines inside a
 * scheme exactly as a browser does.
 */
export function safeHref(target: string): string | undefined {
  const url = URL.parse(target);
  return url && allowed.has(url.protocol) ? url.href : undefined;
}
