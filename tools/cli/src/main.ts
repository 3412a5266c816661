#!/usr/bin/env node
/** `crosszone`: workflows and their runs, from a terminal. */
import { runProcess } from "./run-process.ts";

// What the packages use of Node 26. Nothing of it runs before this.
for (const { prototype } of [Map, WeakMap])
  prototype.getOrInsertComputed ??= function <K extends WeakKey, V>(this: Map<K, V>, key: K, make: (key: K) => V): V {
    if (!this.has(key)) this.set(key, make(key));
    return this.get(key) as V;
  };

await runProcess({ argv: process.argv.slice(2), env: process.env });
