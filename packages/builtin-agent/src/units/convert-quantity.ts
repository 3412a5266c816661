import type { BigNumber } from "mathjs";
import { math } from "../numbers/mathjs.ts";
import { UserMistake } from "../skill.ts";

/**
 * Converts a value to another unit; both are names from `findUnit`. `undefined` when they measure different things.
 * Converts fuel per distance to distance per fuel where needed. Throws `UserMistake` for impossible values such as -300
 * °C.
 */
export function convertQuantity(value: BigNumber, unit: string, target: string): BigNumber | undefined {
  if (/^deg[CF]$|^K$/.test(unit) && inUnit(value, unit, "K").isNegative()) {
    throw new UserMistake("That is below absolute zero, so no such temperature exists.");
  }
  const wanted = math.unit(target);
  if (math.unit(unit).equalBase(wanted)) return inUnit(value, unit, target);
  const flipped = [unit, target].includes("litresper100km") ? flip(unit) : undefined;
  if (flipped === undefined || !math.unit(flipped).equalBase(wanted)) return undefined;
  if (value.isZero()) throw new UserMistake("Zero has no equivalent in that unit.");
  return inUnit(math.bignumber(1).dividedBy(value), flipped, target);
}

function inUnit(value: BigNumber, unit: string, target: string): BigNumber {
  return math.bignumber(math.unit(value, unit).toNumeric(target) as BigNumber);
}

/** The unit of fuel per distance for distance per fuel, and the reverse. */
function flip(unit: string): string | undefined {
  if (unit === "litresper100km") return "hundredkmperlitre";
  const [top, bottom] = unit.split("/");
  return bottom === undefined ? undefined : `${bottom}/${top}`;
}
