import { registerHooks } from "node:module";

/** For `--import`: where verification's own main asks how many answers may grow at the same time, many may. */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isPace = resolved.url.endsWith("/streams/stream-pace.ts");
    return isPace ? { ...resolved, url: new URL("many-streams.ts", import.meta.url).href } : resolved;
  },
});
