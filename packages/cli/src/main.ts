#!/usr/bin/env node
/** `crosszone`: workflows and their runs, from a terminal. */
import { runProcess } from "./run-process.ts";

await runProcess({ argv: process.argv.slice(2), env: process.env });
