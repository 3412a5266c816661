import { math } from "../numbers/mathjs.ts";

/** Units that mathjs lacks or defines inexactly. */
const DEFINITIONS: Readonly<Record<string, readonly [string, string]>> = {
  acre: ["4046.8564224", "m^2"],
  astronomicalunit: ["149597870700", "m"],
  calorie: ["4.184", "J"],
  kilocalorie: ["4184", "J"],
  fathom: ["6", "ft"],
  fortnight: ["14", "day"],
  furlong: ["660", "ft"],
  hundredkmperlitre: ["100", "km/litre"],
  knot: ["1852", "m/hour"],
  lightyear: ["9460730472580800", "m"],
  litresper100km: ["0.01", "litre/km"],
  longton: ["2240", "lb"],
  metrichorsepower: ["735.49875", "W"],
  mmHg: ["133.322387415", "Pa"],
  nauticalmile: ["1852", "m"],
  imperialfluidounce: ["28.4130625", "ml"],
  imperialgallon: ["4.54609", "litre"],
  imperialpint: ["568.26125", "ml"],
  imperialquart: ["1136.5225", "ml"],
};

for (const [name, [value, unit]] of Object.entries(DEFINITIONS)) {
  math.createUnit(name, { definition: math.unit(math.bignumber(value), unit) }, { override: true });
}

/** Whether mathjs, with the definitions above, has a unit of this name, prefixes included. Case-sensitive. */
export function isUnit(name: string): boolean {
  return /^[A-Za-z]+$/.test(name) && math.Unit.isValuelessUnit(name);
}
