/** `node dist/config.js check`: checks the files of settings of this zone, whatever is wrong with other variables. */
import { readSettings } from "@crosszone/ops/doctor";
import { runConfigCheck } from "@crosszone/ops/settings";
import { loadExecutionConfig } from "./zone/config/config.ts";
import { executionSections } from "./zone/config/sections.ts";
import { executionConfig } from "./zone/config/variables.ts";

const { values } = readSettings(executionConfig, loadExecutionConfig, process.env);
const settings = { paths: values.EXECUTION_FILE, rows: executionSections(values, process.env) };
await runConfigCheck("execution", process.argv.slice(2), settings, process);
