import { registerHooks } from "node:module";

/** For `--import`: where execution's own main loads the built-in agent, it gets the one that also recites. */
registerHooks({
  resolve: (specifier, context, next) => {
    const resolved = next(specifier, context);
    const isAgent = resolved.url.endsWith("/builtin-agent/src/builtin-agent.ts");
    if (!isAgent || context.parentURL?.includes("/reciting-agent.ts")) return resolved;
    return { ...resolved, url: new URL(`reciting-agent.ts?for=${resolved.url}`, import.meta.url).href };
  },
});
