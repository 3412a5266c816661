/** What stands below a list that is not all there is; empty when it is. */
export function pageNotice(
  { total, offset }: { readonly total: number; readonly offset: number },
  shown: number,
): string {
  if (shown === total) return "";
  return shown === 0
    ? `None of ${total}.\n`
    : `${offset + 1} to ${offset + shown} of ${total}; --limit and --offset show others.\n`;
}
