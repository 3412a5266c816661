/** Returns the line below a partial list; empty when the list is complete. */
export function pageNotice(
  { total, offset }: { readonly total: number; readonly offset: number },
  shown: number,
): string {
  if (shown === total) return "";
  return shown === 0
    ? `None of ${total}.\n`
    : `${offset + 1} to ${offset + shown} of ${total}; --limit and --offset show others.\n`;
}
