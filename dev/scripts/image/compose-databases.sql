-- A database and a user a zone; neither zone can open the other's. psql runs this once, when the volume of PostgreSQL is empty.
\set password `cat /secrets/execution-password`
CREATE ROLE execution LOGIN PASSWORD :'password';
CREATE DATABASE execution OWNER execution;
REVOKE ALL ON DATABASE execution FROM PUBLIC;
\set password `cat /secrets/verification-password`
CREATE ROLE verification LOGIN PASSWORD :'password';
CREATE DATABASE verification OWNER verification;
REVOKE ALL ON DATABASE verification FROM PUBLIC;
