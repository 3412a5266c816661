/** Loaded into a zone with `--import`: takes the check that its query names out of the surface of every door. */
import { registerHooks } from "node:module";
import { checks } from "./checks.ts";

const changes = checks[new URL(import.meta.url).search.slice(1) as keyof typeof checks];

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    if (!url.startsWith("file:") || url.includes("/node_modules/@") || loaded.source == null) return loaded;
    const source = Buffer.from(loaded.source as string).toString();
    const changed = changes.reduce((text, [from, to]) => text.replaceAll(from, to), source);
    return changed === source ? loaded : { ...loaded, source: changed };
  },
});
