import { migrationsContract } from "@crosszone/sql/testing";
import { busStep } from "./bus-tables.ts";

migrationsContract({ "0001_bus": busStep });
