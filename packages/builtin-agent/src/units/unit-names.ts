import { isUnit } from "./units.ts";

/** Names whose case matters, or that mean something else in mathjs. */
const EXACT_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    C: "degC",
    c: "degC",
    F: "degF",
    f: "degF",
    k: "K",
    PS: "metrichorsepower",
    gb: "GB",
    kb: "kB",
    mb: "MB",
    tb: "TB",
    kt: "knot",
  }),
);

/** Case-insensitive names: an expression of mathjs units before the colon, its names after it. */
const NAMES: ReadonlyMap<string, string> = new Map(
  [
    "degC: celsius, centigrade, degree celsius, degrees celsius, degrees c, degree c, deg c, °c",
    "degF: fahrenheit, degree fahrenheit, degrees fahrenheit, degrees f, degree f, deg f, °f",
    "K: kelvin, kelvins, degrees kelvin",
    "deg: °",
    "km/h: kph, kmh, kmph",
    "mile/hour: mph",
    "ft/s: fps",
    "knot: kn, kts",
    "mile/gallon: mpg, mpg us, us mpg",
    "mile/imperialgallon: uk mpg, mpg uk, imperial mpg, mpg imperial",
    "litresper100km: l/100km, lp100km",
    "km/litre: kpl",
    "in: \", ''",
    "ft: '",
    "nauticalmile: nautical mile, nmi",
    "lightyear: light year, ly",
    "astronomicalunit: au, astronomical unit",
    "um: micron",
    "lb: pound",
    "kg: kilo, kgs, kilogramme",
    "g: gramme",
    "stone: st",
    "ton: short ton, us ton",
    "longton: long ton, imperial ton",
    "tonne: metric ton, metric tonne",
    "floz: fl oz, fluid ounce, us fl oz, us fluid ounce",
    "gallon: us gallon, us gal",
    "pint: us pint",
    "imperialfluidounce: imperial fluid ounce, uk fluid ounce, imperial fl oz, uk fl oz",
    "imperialgallon: imperial gallon, uk gallon, imp gal",
    "imperialpint: imperial pint, uk pint",
    "imperialquart: imperial quart, uk quart",
    "tablespoon: tbsp, tbs",
    "teaspoon: tsp",
    "hectare: ha",
    "calorie: cal",
    "kilocalorie: kcal, food calorie",
    "metrichorsepower: metric horsepower",
    "hp: horsepower",
    "day: d",
    "year: y, yr",
    "month: mo",
    "kW: kw",
    "MW: megawatt",
    "kWh: kwh, kilowatt hour, kilowatt-hour",
    "kJ: kj",
    "kPa: kpa",
    "hPa: hpa",
    "MPa: mpa",
    "kHz: khz",
    "MHz: mhz",
    "GHz: ghz",
    "KiB: kib",
    "MiB: mib",
    "GiB: gib",
    "TiB: tib",
    "Mb: mbit",
    "Gb: gbit",
    "kb: kbit",
    "Mb/s: mbps, mbit/s",
    "Gb/s: gbps, gbit/s",
    "kb/s: kbps, kbit/s",
    "MB/s: mb/s",
  ].flatMap((row) => {
    const [unit = "", names = ""] = row.split(": ");
    return names.split(", ").map((name) => [name, unit] as const);
  }),
);

/**
 * Returns the mathjs expression of a unit as people write it: `km/h`, `square feet`, `°C`, `m²`. `undefined` when
 * unknown.
 */
export function findUnit(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/\.$/, "")
    .replace(/[µμ]/g, "u")
    .replace(/²/g, "2")
    .replace(/³/g, "3")
    .replace(/℃/g, "°C")
    .replace(/℉/g, "°F");
  if (name.length > 40) return undefined;
  const [top = "", bottom, ...more] = name.split(/\s*\/\s*| per /);
  const whole = findSimple(name);
  if (whole !== undefined || bottom === undefined || more.length > 0) return whole;
  const [above, below] = [findPower(top), findPower(bottom)];
  return above === undefined || below === undefined ? undefined : `${above}/${below}`;
}

function findSimple(name: string): string | undefined {
  return named(name) ?? findPower(name);
}

function findPower(name: string): string | undefined {
  const [, word, unit = ""] = /^(square|sq\.?|cubic|cu\.?) ?(.+)$/i.exec(name) ?? [];
  if (word !== undefined) return power(unit, word.toLowerCase().startsWith("s") ? "2" : "3");
  const [, raised, exponent = ""] = /^(.+?) ?\^?([23])$/.exec(name) ?? [];
  return raised === undefined ? named(name) : power(raised, exponent);
}

function power(name: string, exponent: string): string | undefined {
  const unit = named(name);
  return unit === undefined || !/^[A-Za-z]+$/.test(unit) ? undefined : `${unit}^${exponent}`;
}

function named(name: string): string | undefined {
  const lower = name.toLowerCase().replace(/metre/g, "meter");
  return (
    EXACT_NAMES.get(name) ??
    known(name) ??
    NAMES.get(lower) ??
    known(lower) ??
    (lower.length > 3 && lower.endsWith("s") ? (NAMES.get(lower.slice(0, -1)) ?? known(lower.slice(0, -1))) : undefined)
  );
}

function known(name: string): string | undefined {
  return isUnit(name) ? name : undefined;
}
