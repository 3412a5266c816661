import { migrationsContract } from "@crosszone/sql/testing";
import { verificationMigrations } from "./migrations.ts";

migrationsContract(verificationMigrations);
