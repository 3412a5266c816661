import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Plant } from "./plants.ts";

const path = resolve(import.meta.dirname, "seeds.json");

/** For each planted bug of the simulation, a seed that found it. A change of what the zones call moves it. */
export const readSeeds = (): Partial<Record<Plant, number>> =>
  JSON.parse(readFileSync(path, "utf8")) as Partial<Record<Plant, number>>;

export function recordSeed(plant: Plant, seed: number): void {
  writeFileSync(path, `${JSON.stringify({ ...readSeeds(), [plant]: seed }, undefined, 2)}\n`);
}
