/** Loaded before the `main.ts` of a zone that starts from source, with `takeConstants`. */
import { constantLists, type ConstantList, setConstants } from "./tune.ts";

const lists = constantLists.map(async ({ path, name }) => {
  const module = (await import(new URL(`../../../${path}`, import.meta.url).href)) as Record<string, ConstantList>;
  return module[name] ?? {};
});
setConstants(await Promise.all(lists));
