#!/bin/sh
# calcurse skips what it has exported itself: a daily event of whole days with one day left out. It writes the day as a date
# with a time and calls it a date.
#
# Seen with calcurse 4.7.1-1 of Debian 12:
#   EXDATE;VALUE=DATE:20260111T000000
#   0 apps / 0 events / 0 todos / 1 skipped
# RFC 5545, section 3.3.4: a value of the type DATE is eight digits. The same series without the day left out, and one with
# times and a day left out, are imported again. So a backup by export loses exactly the series that were edited by hand.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get download -qq calcurse 2>/dev/null
ls calcurse_*.deb
dpkg -x calcurse_*.deb .
calcurse=$dir/usr/bin/calcurse
mkdir first second
export TMPDIR="$dir" TERM=dumb

# The calendar of calcurse has this line after two keys of its user: repeat, and delete one occurrence.
echo '01/10/2026 [1] {1D -> 01/12/2026 !01/11/2026} Holiday' >first/apts
: >first/todo
"$calcurse" -D first --export >exported.ics
{
	grep EXDATE exported.ics
	"$calcurse" -D second --import exported.ics 2>/dev/null | grep skipped
} | tee seen
test ! -s second/apts
cat >want <<'END'
EXDATE;VALUE=DATE:20260111T000000
0 apps / 0 events / 0 todos / 1 skipped
END
diff want seen

# Without the day left out, the series comes back.
echo '01/10/2026 [1] {1D -> 01/12/2026} Holiday' >first/apts
"$calcurse" -D first --export >exported.ics
"$calcurse" -D second --import exported.ics >/dev/null
grep Holiday second/apts
