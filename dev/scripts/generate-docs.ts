/** Writes every generated page, table and picture of the docs. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisesPage } from "../../tests/promises.ts";
import "./generate-command-reference.ts";
import "./generate-conformance.ts";
import "./generate-config-reference.ts";
import "./generate-install-link.ts";
import "./generate-telemetry.ts";
import "./generate-page-parts.ts";
import "./generate-steps.ts";
import "./generate-works-with.ts";

writeFileSync(resolve(import.meta.dirname, "../../tests/README.md"), await promisesPage());
