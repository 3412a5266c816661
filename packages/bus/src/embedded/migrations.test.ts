import { migrationsContract } from "@crosszone/sql/testing";
import { busStep } from "./bus-tables.ts";
import { busLanesStep } from "./message-lanes.ts";

migrationsContract({ "0001_bus": busStep, "0002_bus_lanes": busLanesStep });
