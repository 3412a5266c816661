/** `node dist/healthcheck.js`: exits with 0 when the zone with this environment answers `/healthz`, else with 1. */
import { isAlive } from "@crosszone/service-kit";
import { loadVerificationConfig } from "./zone/config.ts";

const { values: config } = loadVerificationConfig(process.env);
const address = { host: config.VERIFICATION_HOST, port: config.VERIFICATION_PORT };
process.exitCode = (await isAlive({ ...address, usesTls: false })) ? 0 : 1;
