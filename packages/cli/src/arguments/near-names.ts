import { isNearName } from "@crosszone/service-kit/near-name";

/** ` Did you mean …?`, when a known name is near; otherwise nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = known.filter((one) => isNearName(name, one) || (name.length > 1 && one.startsWith(name)));
  return near.length === 0 ? "" : ` Did you mean ${near.slice(0, 3).join(" or ")}?`;
}
