import type { BigNumber } from "mathjs";
import { math } from "../numbers/mathjs.ts";
import { UserMistake } from "../skill.ts";

/**
 * A value in another unit; both are names that `findUnit` gave. `undefined` when they measure different things. Fuel
 * per distance becomes distance for fuel where needed. Throws `UserMistake` for what cannot exist, such as -300 °C.
 */
export function convertQuantity(value: BigNumber, unit: string, target: string): BigNumber | undefined {
  if (/^deg[CF]$|^K$/.test(unit) && inUnit(value, unit, "K").isNegative()) {
    throw new UserMistake("That is below absolute zero, so no such temperature exists.");
  }
  const wanted = math.unit(target);
  if (math.unit(unit).equalBase(wanted)) return inUnit(value, unit, target);
  const flipped = [unit, target].includes("litresper100km") ? flip(unit) : undefined;
  if (flipped === undefined || !math.unit(flipped).equalBase(wanted)) return undefined;
  if (value.isZero()) throw new UserMistake("Zero has no counterpart there.");
  return inUnit(math.bignumber(1).dividedBy(value), flipped, target);
}

function inUnit(value: BigNumber, unit: string, target: string): BigNumber {
  return math.bignumber(math.unit(value, unit).toNumeric(target) as BigNumber);
}

/** Fuel per distance as distance for fuel, and back. */
function flip(unit: string): string | undefined {
  if (unit === "litresper100km") return "hundredkmperlitre";
  const [top, bottom] = unit.split("/");
  return bottom === undefined ? undefined : `${bottom}/${top}`;
}
