import { isNearName } from "@crosszone/service-kit/text";

/** Returns ` Did you mean …?` if a known name is similar, otherwise an empty string. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = known.filter((one) => isNearName(name, one) || (name.length > 1 && one.startsWith(name)));
  return near.length === 0 ? "" : ` Did you mean ${near.slice(0, 3).join(" or ")}?`;
}
