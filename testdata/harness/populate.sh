#!/bin/sh
# populate.sh creates three members with calendars, messages, a community,
# events and conversations on a running server whose database is empty, and
# prints an access token of the first member:
#
#	populate.sh PROGRAM DATA URL
set -eu
program=$1 data=$2 url=$3
password="correct horse battery staple"

for name in ann bea cem; do
	[ $name = ann ] && add="setup" || add="admin members add"
	printf '%s\n' "$password" | "$program" $add --data "$data" --email $name@example.org --username $name --password-stdin >/dev/null 2>&1
done

# send METHOD PATH BODY sends a request with the credential $token and prints the response.
send() {
	curl -fsS -X "$1" "$url$2" -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -d "$3"
}

# first KEY prints the first string value of KEY in the JSON on stdin.
first() { grep -o "\"$1\": *\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

login() {
	curl -fsS "$url/identity/login" -H 'Content-Type: application/json' -d "{\"login\": \"$1\", \"password\": \"$password\"}" | first access_token
}

ann=$(login ann) bea=$(login bea) cem=$(login cem)

token=$ann
send POST /world/time/objects '{"object_type": "calendar_event", "title": "Dentist <at last>", "start": "2026-12-01T09:00:00", "timezone": "Europe/Berlin"}' >/dev/null
send POST /world/time/objects "{\"object_type\": \"calendar_event\", \"title\": \"Choir\", \"start\": \"$(date +%Y-%m-%d)T19:00:00\", \"timezone\": \"Europe/Berlin\", \"rrule\": \"FREQ=WEEKLY\"}" >/dev/null
send POST /world/time/objects '{"object_type": "task", "title": "Taxes", "due": "2027-05-31", "priority": 1}' >/dev/null
send POST /world/calendars '{"name": "Garden", "color": "#2f9e44"}' >/dev/null
send POST /world/messages '{"recipient": "bea", "body": "The harbour, at six?"}' >/dev/null
community=$(send POST /world/social/communities '{"name": "The house", "description": "All of us", "visibility": "private"}' | first id)
send POST "/world/social/communities/$community/invitations" '{"recipient": "bea"}' >/dev/null
send POST /world/social/conversations '{"title": "Who cooks?", "body": "On Friday", "context": {"kind": "open"}}' >/dev/null
send POST /world/social/events '{"title": "Supper", "start": "2026-12-24T18:00:00", "end": "2026-12-24T22:00:00", "timezone": "Europe/Berlin", "visibility": "public"}' >/dev/null
send POST /world/social/presence '{"state": "online"}' >/dev/null

token=$bea
invitation=$(curl -fsS "$url/world/social/invitations" -H "Authorization: Bearer $token" | first id)
send POST "/world/social/invitations/$invitation/accept" '{}' >/dev/null
send POST /world/messages '{"recipient": "ann", "body": "I will bring bread"}' >/dev/null
send POST /world/social/dms '{"recipient": "ann", "body": "Candles too?"}' >/dev/null

token=$cem
send POST /world/messages '{"recipient": "ann", "body": "Is there room for one more?"}' >/dev/null
send POST /world/social/conversations '{"title": "A bicycle to give away", "body": "It is blue", "context": {"kind": "open"}}' >/dev/null

echo "$ann"
