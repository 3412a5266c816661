/** `node dist/healthcheck.js`: exits with 0 when the zone with this environment answers `/healthz`, else with 1. */
import { isAlive } from "@crosszone/service-kit";
import { loadExecutionConfig } from "./zone/config/config.ts";
import { chooseListening } from "./doors/host-profile.ts";

const { values: config } = loadExecutionConfig(process.env);
const said = { host: config.EXECUTION_HOST, port: config.EXECUTION_PORT, hostPort: config.PORT };
const { host, port } = chooseListening(config.HOST_PROFILE, said);
process.exitCode = (await isAlive({ host, port, usesTls: config.TLS_CERT_FILE !== undefined })) ? 0 : 1;
