export { type AskedZone, startAskedZone } from "./start-asked-zone.ts";
export { openTestZone, openWithoutHttp, startZone, type TestZone, token, type ZoneOptions } from "./start-zone.ts";
export { startSignIn } from "./start-sign-in.ts";
