#!/bin/sh
# Makes what the services of compose.yaml share: the token and the certificate of the link between the zones, and a database each.
# Each zone gets a folder with its own secrets only. Keeps what is there already. Usage: compose-secrets.sh FOLDER
set -eu
umask 077
cd "$1"
mkdir -p execution verification postgres
random() { openssl rand -hex 32; }

# Volumes of earlier versions have none.
if [ ! -e execution/admin-token ]; then
  random >execution/admin-token
  chown -R 65532:65532 execution
fi
if [ -e complete ]; then exit 0; fi

random >execution/link-token
cp execution/link-token verification/link-token

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=crosszone link" \
  -keyout authority.key -out verification/ca.crt 2>/dev/null
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=execution" \
  -keyout execution/tls.key -out execution.csr 2>/dev/null
echo "subjectAltName=DNS:execution,DNS:localhost" >names
openssl x509 -req -in execution.csr -CA verification/ca.crt -CAkey authority.key -set_serial 1 -days 3650 -extfile names \
  -out execution/tls.crt 2>/dev/null
# Nothing signs with this authority again.
rm authority.key execution.csr names

random >postgres/superuser-password
for zone in execution verification; do
  password=$(random)
  echo "$password" >"postgres/$zone-password"
  echo "postgresql://$zone:$password@postgres:5432/$zone?sslmode=disable" >"$zone/database-url"
  echo "compose:$(openssl rand -base64 32)" >"$zone/data-keys"
done

# The users of the images: the zones, and postgres in Debian's image.
chown -R 65532:65532 execution verification
chown -R 999:999 postgres
touch complete
